/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/fastpath/coll_effects.h"

#include "interceptor/checks/check.h"
#include "interceptor/hooks/op_coll.h"

#include <string.h>

static int kept[ORK_COLL_ARRAYS];
static uint32_t used;

void ork_coll_arrays_forget(void)
{
    used = 0;
}

/* ---- keeping ---- */

static void keep(const int *array, uint32_t n)
{
    if (array == NULL)
        return;
    memcpy(kept + used, array, n * sizeof(*array));
    used += n;
}

/* Does the calling rank use what the array says? */
static bool is_sent_significant(const struct ork_args *a, unsigned mode)
{
    enum ork_coll_exchange exchange = ork_coll_exchange(mode);

    if (exchange == ORK_EXCHANGE_FROM_ROOT)
        return ork_is_root(ork_bounds_of(a->comm), a->root);
    return exchange != ORK_EXCHANGE_AMONG_ALL || !a->in_place;
}

static bool is_received_significant(const struct ork_args *a, unsigned mode)
{
    return ork_coll_exchange(mode) != ORK_EXCHANGE_TO_ROOT ||
           ork_is_root(ork_bounds_of(a->comm), a->root);
}

bool ork_coll_arrays_keep(struct ork_template *template, const struct ork_args *args, unsigned mode,
                          const struct ork_coll_buffers *buffers)
{
    const struct ork_coll_side *sent = &buffers->sent, *received = &buffers->received;
    const uint32_t n = args->words != 0 ? args->counts_sent : 0;
    const uint32_t n2 = args->words != 0 ? args->counts_received : 0;

    if (ork_coll_has(mode, ORK_HAS_TYPES) ||
        (ork_coll_has(mode, ORK_COUNTS_SENT) && n == 0 && is_sent_significant(args, mode)) ||
        (ork_coll_has(mode, ORK_COUNTS_RECEIVED) && n2 == 0 &&
         is_received_significant(args, mode)) ||
        2 * ((uint64_t)n + n2) > ORK_COLL_ARRAYS - used)
        return false;
    template->codes = used;
    template->tag = (int)n;
    template->tag2 = (int)n2;
    if (n > 0) {
        keep(sent->counts, n);
        keep(sent->displs, n);
    }
    if (n2 > 0) {
        keep(received->counts, n2);
        keep(received->displs, n2);
    }
    return true;
}

/* ---- comparing ---- */

static bool is_same(uint32_t *at, const int *array, int n)
{
    const uint32_t from = *at;

    *at += (uint32_t)n;
    return *at <= used && memcmp(kept + from, array, (size_t)n * sizeof(*array)) == 0;
}

static bool is_same_side(uint32_t *at, const struct ork_coll_side *side, int n)
{
    return n == 0 || (side->counts != NULL && is_same(at, side->counts, n) &&
                      (side->displs == NULL || is_same(at, side->displs, n)));
}

bool ork_coll_arrays_are(const struct ork_template *s, const struct ork_coll_buffers *b)
{
    uint32_t at = s->codes;

    return is_same_side(&at, &b->sent, s->tag) && is_same_side(&at, &b->received, s->tag2);
}

/* ---- postponed updates ---- */

/* The arrays that were kept. RATIONALE: only a reduction has counts without displacements. */
static uint32_t take_arrays(struct ork_coll_side *side, uint32_t at, int n, bool has_displs)
{
    if (n == 0)
        return at;
    side->counts = kept + at;
    side->displs = has_displs ? kept + at + n : NULL;
    return at + (has_displs ? 2 : 1) * (uint32_t)n;
}

void ork_coll_template_restore(const struct ork_call *call, const struct ork_template *s,
                               uint32_t request)
{
    const bool reduces = ork_coll_exchange(s->mode) == ORK_EXCHANGE_COMBINED;
    const struct ork_args a = {.comm = s->comm,
                               .root = s->peer,
                               .id = request,
                               .in_place =
                                   s->sendbuf == MPI_IN_PLACE || s->recvbuf == MPI_IN_PLACE};
    struct ork_coll_buffers b = {
        .sent = {.address = s->sendbuf, .count = s->count, .type = s->datatype},
        .received = {.address = s->recvbuf,
                     .count = s->count2,
                     .type = reduces ? s->datatype : s->datatype2}};

    uint32_t at = take_arrays(&b.sent, s->codes, s->tag, !reduces);
    take_arrays(&b.received, at, s->tag2, !reduces);
    if (reduces)
        b.received.counts = b.sent.counts;
    ork_coll_buffers_start(call, &a, s->mode, ORK_F_NONBLOCKING, &b);
}
