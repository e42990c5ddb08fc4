/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/busy_wait.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"
#include "overlay/root/activity.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MAX = 6 };
/* Times that the strict analysis may catch up in one look. */
enum { ROUNDS_MAX = 1000 };

struct look {
    bool present;
    uint64_t head, num_probes;
    uint64_t words;                /* of its threads, and whether waiting threads have run */
    struct ork_polls polls, begin; /* `begin`: at the first look of the streak */
    uint32_t sleeps;               /* in a row */
    uint32_t streak;    /* likewise: nothing but polls since the look before that has `polls` */
    bool probes;        /* since the look before that has `polls` */
    bool is_settled;    /* polls long enough, or stays in a call that can block */
    bool is_suspected;  /* and has made no call since */
    uint32_t wrong;     /* suspicions that proved wrong */
    uint64_t call_word; /* of the thread whose call never returns; 0: none */
};

struct ork_busy_wait {
    uint32_t nprocs;
    uint64_t at_ns; /* of the looks below; 0: none yet */
    uint64_t ns;    /* between those before and these */
    struct look *look;
    bool *still;  /* only polls since */
    bool *unsure; /* by rank: threads sleep, and what could wake them is unknown */
};

enum ork_status ork_busy_wait_create(uint32_t nprocs, struct ork_busy_wait **out)
{
    struct ork_busy_wait *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return ORK_NOMEM;
    s->nprocs = nprocs;
    s->look = calloc(nprocs, sizeof(*s->look));
    s->still = calloc(nprocs, sizeof(*s->still));
    s->unsure = calloc(nprocs, sizeof(*s->unsure));
    if (s->look == NULL || s->still == NULL || s->unsure == NULL) {
        ork_busy_wait_destroy(s);
        return ORK_NOMEM;
    }
    *out = s;
    return ORK_OK;
}

enum ork_status ork_busy_wait_grow(struct ork_busy_wait *s, uint32_t nprocs)
{
    if (!ork_vec_extend(&s->look, s->nprocs, nprocs, sizeof(*s->look)) ||
        !ork_vec_extend(&s->still, s->nprocs, nprocs, sizeof(*s->still)) ||
        !ork_vec_extend(&s->unsure, s->nprocs, nprocs, sizeof(*s->unsure)))
        return ORK_NOMEM;
    s->nprocs = nprocs;
    return ORK_OK;
}

void ork_busy_wait_destroy(struct ork_busy_wait *s)
{
    if (s == NULL)
        return;
    free(s->look);
    free(s->still);
    free(s->unsure);
    free(s);
}

static uint64_t words_of(const struct ork_snapshot *s)
{
    uint64_t sum = ork_hash_add(s->threads, s->others);

    sum = ork_hash_add(ork_hash_add(sum, s->resting), s->stirred);
    for (uint32_t t = 0; t < s->threads; t++)
        sum = ork_hash_add(sum, s->word[t]);
    return sum;
}

/* Some thread is in a call that can block, and all others wait without a time limit. */
static bool is_asleep(const struct ork_snapshot *s)
{
    bool any = false;

    for (uint32_t t = 0; t < s->threads; t++) {
        bool is_inside = (s->word[t] & 0xff) == ORK_STATE_BLOCKED;
        if (!is_inside && (s->resting >> t & 1) == 0)
            return false;
        any |= is_inside;
    }
    return any && (s->resting != 0 || s->others == ORK_OTHERS_UNKNOWN);
}

static bool has_polled_enough(const struct look *last, const struct ork_polls *now)
{
    return now->polls - last->polls.polls >= ORK_BUSY_WAIT_POLLS &&
           now->looks - last->polls.looks >= ORK_BUSY_WAIT_GAPS;
}

/* Count looks at which it did nothing but poll, `ns` after the latest. RATIONALE: a loop that reads
 * a clock may end after some time. A rank that waits for a processor polls seldom, or not at all:
 * what it does counts together until it has polled enough. */
static void follow_polls(struct look *look, const struct look *last, uint64_t ns, bool is_runnable)
{
    const struct ork_polls *now = &look->polls;

    if (!has_polled_enough(last, now) && is_runnable) {
        look->polls = last->polls;
        look->begin = last->begin;
        look->probes = look->probes || last->probes;
        look->streak = last->streak;
    } else if (has_polled_enough(last, now) && now->timed == last->polls.timed &&
               ork_polls_only(&last->begin, &last->polls, now, ns)) {
        look->begin = last->begin;
        look->streak = last->streak + 1;
    }
}

static uint32_t patience_with(const struct look *look)
{
    return ORK_BUSY_WAIT_LOOKS << (look->wrong < PATIENCE_MAX ? look->wrong : PATIENCE_MAX);
}

/* Report to the detector which threads wait for others. *found: some are new to it. */
static void report_resting(struct ork_busy_wait *s, struct ork_detector *d, uint32_t r,
                           const struct ork_snapshot *now, struct ork_suspicion *found)
{
    bool is_known = now->others == ORK_OTHERS_NONE;
    bool sleeps = s->look[r].sleeps >= (is_known ? 1 : ORK_BUSY_WAIT_SLEEPS);
    uint64_t resting = sleeps ? now->resting : 0;

    s->unsure[r] = sleeps && !is_known;
    found->rests |= sleeps && is_known && resting != ork_detector_resting(d, r);
    ork_detector_set_resting(d, r, resting);
}

/* One rank: has it made no progress since the last look, and does it poll or sleep? Store this for
 * the next look. */
static bool look_at(struct ork_busy_wait *s, struct ork_detector *d,
                    const struct ork_snapshots *snapshots, uint32_t r, struct ork_suspicion *found)
{
    const struct ork_snapshot *now = ork_snapshots_of(snapshots, 0, r);
    struct look *last = &s->look[r];

    s->still[r] = s->unsure[r] = false;
    if (now == NULL || !ork_snapshots_is_current(snapshots, now, r)) {
        *last =
            (struct look){.wrong = last->wrong + last->is_suspected, .call_word = last->call_word};
        ork_detector_set_resting(d, r, 0);
        return false;
    }
    struct look look = {.present = true,
                        .head = now->head,
                        .words = words_of(now),
                        .polls = ork_polls_of(now),
                        .begin = ork_polls_of(now),
                        .num_probes = now->probes,
                        .probes = now->probes != last->num_probes,
                        .call_word = last->call_word};
    s->still[r] = last->present && last->head == look.head && last->words == look.words &&
                  now->others != ORK_OTHERS_ACT;
    look.is_suspected = last->is_suspected && s->still[r];
    look.wrong = last->wrong + (last->is_suspected && !s->still[r]);
    if (s->still[r])
        follow_polls(&look, last, s->ns, now->is_runnable);
    if (s->still[r] && is_asleep(now))
        look.sleeps = last->sleeps + 1;
    bool polls = look.streak >= patience_with(&look);
    look.is_settled = polls || (s->still[r] && (ork_snapshot_has_thread(now, ORK_STATE_BLOCKED) ||
                                                ork_snapshot_has_thread(now, ORK_STATE_DONE)));
    polls = polls && ork_detector_rank(d, r).status == ORK_RANK_RUNNING;
    *last = look;
    report_resting(s, d, r, now, found);
    struct ork_record poll = ork_polled_record(&now->polled);
    if (polls && !s->unsure[r])
        polls = ork_detector_set_polling(d, r, look.probes ? ORK_POLL_ANYTHING : ORK_POLL_REQUESTS,
                                         &poll) == ORK_OK;
    return polls || s->unsure[r];
}

/* ---- deadlocks that depend on unknown facts ---- */

/* Every deadlocked rank has not moved, and for some of them it is unknown what they wait for.
 * *moved: the strict analysis has one in an earlier call than the run, in which it stays. */
static bool is_suspicious(const struct ork_busy_wait *s, const struct ork_detector *d,
                          const struct ork_search *search, struct ork_suspicion *found, bool *moved)
{
    bool unsure = false, any_moved = false, settled = true;

    found->polls = *moved = false;
    for (uint32_t r = 0; r < s->nprocs; r++) {
        if (!ork_wfg_is_deadlocked(search->wfg, r))
            continue;
        struct ork_rank_view v = ork_detector_rank(d, r);
        if (v.status != ORK_RANK_DONE && !s->still[r])
            return false;
        any_moved |= v.status != ORK_RANK_DONE && v.moved;
        settled &= v.status == ORK_RANK_DONE || s->look[r].is_settled;
        found->polls |= v.status == ORK_RANK_POLLING;
        unsure |= s->unsure[r];
    }
    *moved = any_moved && (unsure || settled);
    return (found->polls || unsure) && !any_moved;
}

/* RATIONALE: a rank that passed a buffered send before it stopped is held in that send here,
 * because its receiver only polls. It is the call in which the run stopped that counts: so the
 * analysis catches up with ranks that wait or poll in the run, too. */
static enum ork_status search_all(struct ork_busy_wait *s, struct ork_detector *d,
                                  struct ork_suspicion *found)
{
    enum ork_status status = ORK_OK;
    uint32_t passed = 1;

    for (unsigned i = 0; i < ROUNDS_MAX && passed > 0 && status == ORK_OK; i++) {
        bool moved;
        passed = 0;
        status = ork_detector_search(d, ORK_STRICT, &found->search);
        if (status != ORK_OK)
            break;
        if (is_suspicious(s, d, found->search, found, &moved))
            return ORK_OK;
        if (moved)
            status = ork_detector_relax(d, found->search, &passed);
        ork_search_destroy(found->search);
        found->rests |= passed > 0;
    }
    found->search = NULL;
    return status;
}

/* ---- calls that never return, whatever other threads do ---- */

/* Is that thread still in the same call as at the last look? */
static bool is_still_inside(struct ork_busy_wait *s, const struct ork_snapshots *snapshots,
                            uint32_t r, const struct ork_rank_view *v)
{
    const struct ork_snapshot *now = ork_snapshots_of(snapshots, 0, r);
    uint32_t thread = v->call.thread;
    uint64_t word = now != NULL && thread < now->threads ? now->word[thread] : 0;
    bool same = word != 0 && s->look[r].call_word == word;

    s->look[r].call_word = word;
    return same && (word & 0xff) == ORK_STATE_BLOCKED && !v->moved;
}

static bool are_still_inside(struct ork_busy_wait *s, const struct ork_detector *d,
                             const struct ork_snapshots *snapshots, const struct ork_search *search)
{
    bool all = true;

    for (uint32_t r = 0; r < s->nprocs; r++) {
        struct ork_rank_view v = ork_search_rank(d, search, r);
        if (ork_wfg_is_deadlocked(search->wfg, r) && v.status != ORK_RANK_DONE)
            all &= is_still_inside(s, snapshots, r, &v);
    }
    return all;
}

static enum ork_status search_calls(struct ork_busy_wait *s, struct ork_detector *d,
                                    const struct ork_snapshots *snapshots,
                                    struct ork_suspicion *found)
{
    for (uint32_t r = 0; r < s->nprocs; r++) {
        const struct ork_snapshot *now = ork_snapshots_of(snapshots, 0, r);
        if (now != NULL && now->others != ORK_OTHERS_NONE)
            ork_detector_set_busy(d, r, true);
    }
    enum ork_status status = ork_detector_search_calls(d, &found->search);
    for (uint32_t r = 0; r < s->nprocs; r++)
        ork_detector_set_busy(d, r, false);
    if (status != ORK_OK || found->search == NULL)
        return status;
    found->is_certain = are_still_inside(s, d, snapshots, found->search);
    if (!found->is_certain) {
        ork_search_destroy(found->search);
        found->search = NULL;
    }
    return ORK_OK;
}

const bool *ork_busy_wait_unsure(const struct ork_busy_wait *s)
{
    return s->unsure;
}

static bool has_busy_wait(const struct ork_busy_wait *s, const struct ork_wfg_knot *knot)
{
    for (uint32_t i = 0; i < knot->count; i++) {
        if (knot->node[i] < s->nprocs && s->look[knot->node[i]].is_suspected)
            return true;
    }
    return false;
}

/* RATIONALE: the position of each rank in its loop is chance, and others may start to wait for the
 * polling ranks; the cause is the same. */
bool ork_busy_wait_news(struct ork_busy_wait *s, const struct ork_detector *d,
                        const struct ork_search *search, bool *knots)
{
    bool any = false;

    for (uint32_t k = 0; k < ork_wfg_num_bottom(search->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(search->wfg, k);
        knots[k] = !has_busy_wait(s, &knot);
        any |= knots[k];
    }
    for (uint32_t r = 0; r < s->nprocs; r++)
        s->look[r].is_suspected |=
            ork_wfg_is_deadlocked(search->wfg, r) &&
            (s->unsure[r] || ork_detector_rank(d, r).status == ORK_RANK_POLLING);
    return any;
}

void ork_busy_wait_forget(struct ork_busy_wait *s, struct ork_detector *d)
{
    for (uint32_t r = 0; r < s->nprocs; r++) {
        ork_detector_set_polling(d, r, ORK_POLL_NONE, NULL);
        ork_detector_set_resting(d, r, 0);
    }
}

/* Drop what is not certain. */
static void forget_doubts(struct ork_busy_wait *s, struct ork_detector *d)
{
    for (uint32_t r = 0; r < s->nprocs; r++) {
        ork_detector_set_polling(d, r, ORK_POLL_NONE, NULL);
        if (s->unsure[r])
            ork_detector_set_resting(d, r, 0);
    }
}

enum ork_status ork_busy_wait_observe(struct ork_busy_wait *s, struct ork_detector *d,
                                      struct ork_snapshots *snapshots, uint64_t now_ns,
                                      struct ork_suspicion *found)
{
    uint32_t reported = 0;
    enum ork_status status = ORK_OK;

    *found = (struct ork_suspicion){.search = NULL};
    if (s->at_ns != 0 && ork_elapsed_ns(now_ns, s->at_ns) < ORK_BUSY_WAIT_NS)
        return ORK_OK;
    if (!ork_snapshots_is_fresh(snapshots, 1, now_ns))
        return ORK_OK;
    s->ns = s->at_ns != 0 ? ork_elapsed_ns(now_ns, s->at_ns) : 0;
    s->at_ns = now_ns;
    for (uint32_t r = 0; r < s->nprocs; r++)
        reported += look_at(s, d, snapshots, r, found);
    if (reported > 0)
        status = search_all(s, d, found);
    if (status == ORK_OK && found->search == NULL) {
        forget_doubts(s, d);
        status = search_calls(s, d, snapshots, found);
    }
    return status;
}
