/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/origins.h"

#include "common/vec.h"
#include "interceptor/usage.h"

#include <errno.h>

/* More than this are not entered. */
enum { KNOWN_MAX = 1 << 16 };

#define NONE UINT32_MAX

struct entry {
    MPI_Win win;
    int target;
    uint32_t request;
    uint32_t site;
    uint16_t call;
    uint32_t place; /* in the index; the next spare one */
    struct ork_buffer_bytes bytes;
};

uint32_t ork_origins_known;

static struct ork_index index_of = {.spare = ORK_INDEX_NONE, .root = ORK_INDEX_NONE};
static struct entry *entries; /* bytes.use 0: none */
static uint32_t num_entries, room, spare = NONE, latest;

/* RATIONALE: a loop that puts the same buffer again and again is one entry. */
static bool is_latest(const struct entry *e)
{
    const struct entry *l = &entries[latest];

    return ork_origins_known > 0 && l->win == e->win && l->target == e->target &&
           l->request == e->request && l->site == e->site && l->call == e->call &&
           l->bytes.use == e->bytes.use && l->bytes.span.low == e->bytes.span.low &&
           l->bytes.span.high == e->bytes.span.high && l->bytes.type == e->bytes.type;
}

static bool reserve(void)
{
    return ork_origins_known < KNOWN_MAX &&
           (spare != NONE || ork_vec_reserve(&entries, &room, num_entries + 1, sizeof(*entries)));
}

/* Takes ownership of the bytes. False: out of memory. */
static bool enter(struct entry *e)
{
    uint32_t number = spare != NONE ? spare : num_entries;

    e->place = ork_index_insert(&index_of, &e->bytes.span, e->bytes.use, number);
    if (e->place == ORK_INDEX_NONE)
        return false;
    if (number == num_entries)
        num_entries++;
    else
        spare = entries[number].place;
    entries[number] = *e;
    latest = number;
    ork_origins_known++;
    ork_watch_add((uint64_t)e->bytes.span.low, (uint64_t)e->bytes.span.high);
    return true;
}

void ork_origins_add(const struct ork_call *call, const struct ork_origin *o)
{
    int saved = errno;
    struct entry e = {.win = o->win,
                      .target = o->target,
                      .request = o->request,
                      .site = call->site,
                      .call = call->id};

    if (o->target != MPI_PROC_NULL && ork_buffer_find(&o->buffer, &e.bytes) &&
        (is_latest(&e) || !reserve() || !enter(&e)))
        ork_buffer_release(&e.bytes);
    errno = saved;
}

/* ---- completion ---- */

static bool is_complete(const struct entry *e, MPI_Win win, int target, uint32_t request)
{
    if (request != ORK_REQUEST_NULL)
        return e->request == request;
    return e->win == win && (target == ORK_ORIGIN_ALL_TARGETS || e->target == target);
}

static void complete(MPI_Win win, int target, uint32_t request)
{
    for (uint32_t i = 0; i < num_entries; i++) {
        struct entry *e = &entries[i];
        if (e->bytes.use == 0 || !is_complete(e, win, target, request))
            continue;
        ork_watch_remove((uint64_t)e->bytes.span.low, (uint64_t)e->bytes.span.high);
        ork_index_remove(&index_of, e->place);
        ork_buffer_release(&e->bytes);
        *e = (struct entry){.place = spare};
        spare = i;
        ork_origins_known--;
    }
    if (ork_origins_known == 0) {
        num_entries = 0;
        spare = NONE;
    }
}

void ork_origins_complete(MPI_Win win, int target)
{
    if (ork_origins_known > 0)
        complete(win, target, ORK_REQUEST_NULL);
}

void ork_origins_complete_request(uint32_t request)
{
    if (ork_origins_known > 0 && request != ORK_REQUEST_NULL)
        complete(MPI_WIN_NULL, ORK_ORIGIN_ALL_TARGETS, request);
}

/* ---- loads and stores ---- */

struct touched {
    struct ork_call call; /* none: its site is that of the access */
    bool is_store;
};

static bool report(void *context, const struct ork_index_entry *found,
                   const struct ork_common *common)
{
    const struct touched *t = context;
    const struct entry *e = &entries[found->payload];

    ork_usage_report_returned(&t->call,
                              &(struct ork_usage){.id = !t->is_store ? ORK_USAGE_LOAD_WHILE_GOT
                                                        : e->bytes.use == ORK_BUFFER_READ
                                                            ? ORK_USAGE_STORE_WHILE_PUT
                                                            : ORK_USAGE_STORE_WHILE_GOT,
                                                  .value = common->low - e->bytes.span.low,
                                                  .value2 = common->high - 1 - e->bytes.span.low,
                                                  .other_site = e->site,
                                                  .other_call = e->call});
    return false;
}

void ork_origins_touch(uint32_t site, bool is_store, uint64_t address, uint64_t size)
{
    struct touched t = {.call = {.site = site, .id = ORK_CALL_NONE}, .is_store = is_store};
    struct ork_span span = ork_span_of_block((int64_t)address, (int64_t)size);

    ork_index_visit(&index_of, &span,
                    is_store ? ORK_BUFFER_READ | ORK_BUFFER_WRITTEN : ORK_BUFFER_WRITTEN, report,
                    &t);
}

void ork_origins_cut(struct ork_piece *piece, uint64_t address)
{
    ork_buffer_cut(piece, address, &index_of);
}
