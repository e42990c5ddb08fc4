/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/suspect.h"

#include <stdlib.h>
#include <string.h>

struct look {
    bool present;
    uint64_t head, polls, probes;
};

struct ork_suspect {
    uint32_t nprocs;
    uint64_t at_ns; /* of the looks below; 0: none yet */
    struct look *look;
    bool *still; /* nothing but polls since */
};

enum ork_status ork_suspect_create(uint32_t nprocs, struct ork_suspect **out)
{
    struct ork_suspect *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return ORK_NOMEM;
    s->nprocs = nprocs;
    s->look = calloc(nprocs, sizeof(*s->look));
    s->still = calloc(nprocs, sizeof(*s->still));
    if (s->look == NULL || s->still == NULL) {
        ork_suspect_destroy(s);
        return ORK_NOMEM;
    }
    *out = s;
    return ORK_OK;
}

enum ork_status ork_suspect_grow(struct ork_suspect *s, uint32_t nprocs)
{
    struct look *look = realloc(s->look, nprocs * sizeof(*look));
    bool *still = realloc(s->still, nprocs * sizeof(*still));

    s->look = look != NULL ? look : s->look;
    s->still = still != NULL ? still : s->still;
    if (look == NULL || still == NULL)
        return ORK_NOMEM;
    memset(look + s->nprocs, 0, (nprocs - s->nprocs) * sizeof(*look));
    memset(still + s->nprocs, 0, (nprocs - s->nprocs) * sizeof(*still));
    s->nprocs = nprocs;
    return ORK_OK;
}

void ork_suspect_destroy(struct ork_suspect *s)
{
    if (s == NULL)
        return;
    free(s->look);
    free(s->still);
    free(s);
}

/* One rank: has it stood still since the last look, and does it poll? Remember it for the next. */
static bool look_at(struct ork_suspect *s, struct ork_detector *d, const struct ork_down *down,
                    uint32_t r)
{
    struct ork_snapshot now;
    struct look *last = &s->look[r];
    bool polling = false;

    if (down->collect(down->context, r, &now) != ORK_OK || !now.present || now.head != now.taken ||
        now.strangers > 0) {
        *last = (struct look){0};
        s->still[r] = false;
        return false;
    }
    s->still[r] = last->present && last->head == now.head;
    if (s->still[r] && now.polls - last->polls >= ORK_SUSPECT_POLLS &&
        ork_detector_rank(d, r).status == ORK_RANK_RUNNING) {
        enum ork_polling what = now.probes != last->probes ? ORK_POLL_ANYTHING : ORK_POLL_REQUESTS;
        polling =
            ork_detector_set_polling(d, r, what, (uint16_t)now.poll_call, now.poll_site) == ORK_OK;
    }
    *last =
        (struct look){.present = true, .head = now.head, .polls = now.polls, .probes = now.probes};
    return polling;
}

/* Every deadlocked rank stood still where it is, and one of them polls. */
static bool is_suspicious(const struct ork_suspect *s, const struct ork_detector *d,
                          const struct ork_search *search)
{
    bool polls = false;

    for (uint32_t r = 0; r < s->nprocs; r++) {
        if (!ork_wfg_is_deadlocked(search->wfg, r))
            continue;
        struct ork_rank_view v = ork_detector_rank(d, r);
        if (v.status != ORK_RANK_DONE && (!s->still[r] || v.moved))
            return false;
        polls |= v.status == ORK_RANK_POLLING;
    }
    return polls;
}

void ork_suspect_forget(struct ork_suspect *s, struct ork_detector *d)
{
    for (uint32_t r = 0; r < s->nprocs; r++)
        ork_detector_set_polling(d, r, ORK_POLL_NONE, 0, 0);
}

enum ork_status ork_suspect_look(struct ork_suspect *s, struct ork_detector *d,
                                 const struct ork_down *down, uint64_t now_ns,
                                 struct ork_search **search)
{
    uint32_t polling = 0;

    *search = NULL;
    if (s->at_ns != 0 && now_ns - s->at_ns < ORK_SUSPECT_NS)
        return ORK_OK;
    s->at_ns = now_ns;
    for (uint32_t r = 0; r < s->nprocs; r++)
        polling += look_at(s, d, down, r);
    if (polling == 0)
        return ORK_OK;
    enum ork_status status = ork_detector_search(d, ORK_STRICT, search);
    if (status != ORK_OK) {
        *search = NULL;
    } else if (!is_suspicious(s, d, *search)) {
        ork_search_destroy(*search);
        *search = NULL;
    }
    if (*search == NULL)
        ork_suspect_forget(s, d);
    return status;
}
