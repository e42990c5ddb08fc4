/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/suspect.h"

#include "overlay/pulse.h"

#include <stdlib.h>
#include <string.h>

struct look {
    bool present;
    uint64_t head, probes;
    uint64_t words; /* of its threads */
    struct ork_polls polls;
    uint32_t sleeps; /* in a row */
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

static uint64_t words_of(const struct ork_snapshot *s)
{
    uint64_t sum = s->threads;

    for (uint32_t t = 0; t < s->threads; t++)
        sum = sum * UINT64_C(0x9e3779b97f4a7c15) + s->word[t];
    return sum;
}

/* Some thread is in a call that can block, and all others wait for another one. */
static bool is_asleep(const struct ork_snapshot *s)
{
    bool any = false;

    for (uint32_t t = 0; t < s->threads; t++) {
        bool is_inside = (s->word[t] & 0xff) == ORK_STATE_BLOCKED;
        if (!is_inside && (s->asleep >> t & 1) == 0)
            return false;
        any |= is_inside;
    }
    return any && s->asleep != 0;
}

static bool is_polling(const struct look *last, const struct ork_snapshot *now)
{
    const struct ork_polls polls = ork_polls_of(now);

    return polls.polls - last->polls.polls >= ORK_SUSPECT_POLLS &&
           ork_polls_only(&last->polls, &polls);
}

/* One rank: has it stood still since the last look, and does it poll or sleep? Remember it for the
 * next. */
static bool look_at(struct ork_suspect *s, struct ork_detector *d, const struct ork_census *census,
                    uint32_t r)
{
    const struct ork_snapshot *now = ork_census_of(census, 0, r);
    struct look *last = &s->look[r];
    bool told = false;

    if (now == NULL || !ork_census_is_current(census, now, r) || now->strangers > 0) {
        *last = (struct look){0};
        s->still[r] = false;
        return false;
    }
    struct look look = {.present = true,
                        .head = now->head,
                        .words = words_of(now),
                        .polls = ork_polls_of(now),
                        .probes = now->probes};
    s->still[r] = last->present && last->head == look.head && last->words == look.words;
    if (s->still[r] && is_asleep(now))
        look.sleeps = last->sleeps + 1;
    if (look.sleeps >= ORK_SUSPECT_SLEEPS) {
        told = ork_detector_set_asleep(d, r, true) == ORK_OK;
    } else if (s->still[r] && is_polling(last, now) &&
               ork_detector_rank(d, r).status == ORK_RANK_RUNNING) {
        enum ork_polling what = now->probes != last->probes ? ORK_POLL_ANYTHING : ORK_POLL_REQUESTS;
        told = ork_detector_set_polling(d, r, what, (uint16_t)now->poll_call, now->poll_site) ==
               ORK_OK;
    }
    *last = look;
    return told;
}

/* Every deadlocked rank stood still where it is, and one of them polls or sleeps. */
static bool is_suspicious(const struct ork_suspect *s, const struct ork_detector *d,
                          const struct ork_search *search, bool *polls)
{
    bool sleeps = false;

    *polls = false;
    for (uint32_t r = 0; r < s->nprocs; r++) {
        if (!ork_wfg_is_deadlocked(search->wfg, r))
            continue;
        struct ork_rank_view v = ork_detector_rank(d, r);
        if (v.status != ORK_RANK_DONE && (!s->still[r] || v.moved))
            return false;
        *polls |= v.status == ORK_RANK_POLLING;
        sleeps |= s->look[r].sleeps >= ORK_SUSPECT_SLEEPS;
    }
    return *polls || sleeps;
}

void ork_suspect_forget(struct ork_suspect *s, struct ork_detector *d)
{
    for (uint32_t r = 0; r < s->nprocs; r++) {
        ork_detector_set_polling(d, r, ORK_POLL_NONE, 0, 0);
        ork_detector_set_asleep(d, r, false);
    }
}

enum ork_status ork_suspect_look(struct ork_suspect *s, struct ork_detector *d,
                                 struct ork_census *census, uint64_t now_ns,
                                 struct ork_search **search, bool *polls)
{
    uint32_t told = 0;

    *search = NULL;
    *polls = false;
    if (s->at_ns != 0 && now_ns - s->at_ns < ORK_SUSPECT_NS)
        return ORK_OK;
    if (!ork_census_is_fresh(census, 1, now_ns))
        return ORK_OK;
    s->at_ns = now_ns;
    for (uint32_t r = 0; r < s->nprocs; r++)
        told += look_at(s, d, census, r);
    if (told == 0)
        return ORK_OK;
    enum ork_status status = ork_detector_search(d, ORK_STRICT, search);
    if (status != ORK_OK) {
        *search = NULL;
    } else if (!is_suspicious(s, d, *search, polls)) {
        ork_search_destroy(*search);
        *search = NULL;
    }
    if (*search == NULL)
        ork_suspect_forget(s, d);
    return status;
}
