/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/fold/walk.h"

#include "common/vec.h"
#include "detector/fold/transitions.h"
#include "detector/fold/steps.h"

#include <stdlib.h>
#include <string.h>

enum {
    STATE_WORDS = 1 << 10,
    STATE_WORDS_OF_RANK = 1 << 8, /* of one state */
    /* A transition that is looked up earns one, and one that is analysed costs more. */
    CREDIT_FIRST = 1 << 14,
    CREDIT_MAX = 1 << 15,
    ANALYSED_COSTS = 16,
    WORTH = 8,          /* as many looked up as analysed, or the next walk begins later */
    LATER = 4,          /* times as many records before it */
    LOST_MAX = 1 << 14, /* steps in a row without a state that can be compared */
    LOOK = 64, /* of these, after so many it is tried again; at first after each power of two */
    QUEUED_MAX = 8,        /* records in the detector */
    AHEAD_MAX = 1 << 11,   /* steps of a rank that waits for others which may wait for it */
    WAITING_MAX = 1 << 20, /* steps of a rank */
};
#define AFTER_MAX (UINT64_C(1) << 32)

/* Of one rank. */
struct walker {
    struct steps steps;
    /* Steps that wait, as a ring. */
    uint16_t *queue;
    uint32_t first, count, room;
    /* The latest messages that its wildcards took in the run: ork_detector_taken(). */
    struct ork_taken taken[ORK_TAKEN_MAX];
    uint32_t num_taken;
    uint32_t num_seen; /* ork_detector_num_taken() of those that are known */
};

struct walk {
    struct transitions graph;
    struct walker *rank;
    uint64_t ready, rests; /* bit r: a step of rank r waits; and the first of them is no call */
    uint64_t moved;        /* made a call: see ork_walk_has_moved() */
    uint32_t now, at;      /* both WALK_NONE: the detector is where the run is, in no known state */
    struct ork_detector_state before, after;
    bool is_after;                /* `after` is the state of the detector */
    bool is_paused, has_left_out; /* the history; and receives with wildcards were looked up */
    bool has_news;                /* steps were made since the sink knows that there are some */
    int64_t credit;
    uint64_t looked_up, analysed;
    uint32_t lost;      /* steps in a row without a known state */
    uint32_t num_comms; /* of which the graph knows the calls */
    struct ork_words other;
};

static uint64_t bit(uint32_t rank)
{
    return UINT64_C(1) << rank;
}

/* ---- where the detector is ---- */

/* The ranks whose next step may be made now. */
static struct free_ranks look_free(const struct ork_fold *f)
{
    struct free_ranks free = {0, 0};

    for (uint32_t r = 0; r < f->nprocs; r++) {
        if (ork_detector_queued(f->d, r) != 0 || ork_detector_is_inside(f->d, r, 0))
            continue;
        free.all |= bit(r);
        free.ahead |= ork_detector_is_ahead(f->d, r) ? bit(r) : 0;
    }
    return free;
}

/* False: the state cannot be compared. */
static bool write_state(struct ork_fold *f, struct ork_detector_state *state)
{
    struct walk *w = f->walk;
    const size_t limit = STATE_WORDS + (size_t)STATE_WORDS_OF_RANK * f->nprocs;

    state->leaves_taken = true;
    return ork_detector_state(f->d, limit, state) && state->num_lock_numbers == 0 &&
           !state->has_given_up &&
           (f->sink.state == NULL ||
            (f->sink.state(f->sink.context, limit, &w->other) && w->other.count == 0));
}

/* The messages that wildcards have taken since the latest look: those of the run. */
static void take_messages(struct ork_fold *f, bool are_of_transition, bool *good)
{
    for (uint32_t r = 0; r < f->nprocs; r++) {
        struct walker *rank = &f->walk->rank[r];
        const uint32_t num = ork_detector_num_taken(f->d, r);
        uint32_t more = num - rank->num_seen;
        rank->num_seen = num;
        more = more < ORK_TAKEN_MAX ? more : ORK_TAKEN_MAX;
        while (more-- > 0) {
            struct ork_taken *taken = &rank->taken[rank->num_taken++ % ORK_TAKEN_MAX];
            ork_detector_taken(f->d, r, more, taken);
            if (are_of_transition)
                *good &= ork_transitions_take(&f->walk->graph, r, taken);
        }
    }
}

/* Those that it has taken on the way to a state are not those of the run. */
static void skip_messages(struct ork_fold *f)
{
    for (uint32_t r = 0; r < f->nprocs; r++)
        f->walk->rank[r].num_seen = ork_detector_num_taken(f->d, r);
}

static void give_messages_back(struct ork_fold *f)
{
    for (uint32_t r = 0; r < f->nprocs; r++) {
        struct walker *rank = &f->walk->rank[r];
        struct ork_taken latest[ORK_TAKEN_MAX];
        uint32_t n = rank->num_taken < ORK_TAKEN_MAX ? rank->num_taken : ORK_TAKEN_MAX;
        for (uint32_t i = 0; i < n; i++)
            latest[i] = rank->taken[(rank->num_taken - n + i) % ORK_TAKEN_MAX];
        ork_detector_set_taken(f->d, r, latest, n);
    }
    skip_messages(f);
}

/* The counts of the detector become those of the run. */
static enum ork_status count_all(struct ork_fold *f)
{
    struct walk *w = f->walk;
    struct ork_detector_state *a = &w->before, *b = &w->after;
    const uint32_t num = w->num_comms;

    w->is_after = false;
    if (!ork_vec_reserve(&a->calls, &a->calls_cap, num, sizeof(*a->calls)) ||
        !ork_vec_reserve(&b->calls, &b->calls_cap, num, sizeof(*b->calls)))
        return ORK_NOMEM;
    a->num_calls = b->num_calls = num;
    a->num_lock_numbers = b->num_lock_numbers = 0;
    memset(a->calls, 0, num * sizeof(*a->calls));
    a->counts = (struct ork_counts){0};
    ork_transitions_sum(&w->graph, &b->counts, b->calls, num);
    ork_detector_repeat(f->d, a, b, 1);
    return ORK_OK;
}

static enum ork_status feed_step(struct ork_fold *f, uint32_t r, uint32_t step)
{
    const struct steps *s = &f->walk->rank[r].steps;

    return ork_fold_feed(f, r, ork_step_records(s, step), s->step[step].length);
}

/* The detector to the state of the run, on the shortest way. What it does on this way is not what
 * the run has done, but leads to an equal state. */
static enum ork_status lead(struct ork_fold *f)
{
    struct walk *w = f->walk;
    enum ork_status status = ORK_OK;
    const uint32_t *way;
    uint32_t n;

    if (w->at == w->now)
        return ORK_OK;
    ORK_ASSERT(w->is_paused);
    w->is_after = false;
    if (!ork_transitions_way(&w->graph, w->at, w->now, &way, &n))
        return ORK_NOMEM; /* the run came here, so there is one */
    for (uint32_t i = 0; i < n && status == ORK_OK; i++) {
        struct transition *t = &w->graph.transition[way[i]];
        status = feed_step(f, t->rank, t->step);
        t->times--;
    }
    w->at = w->now;
    skip_messages(f);
    return status;
}

/* RATIONALE: what is only looked up is missing in the history, and what leads to a state was not
 * made. */
static void pause_history(struct ork_fold *f)
{
    struct walk *w = f->walk;

    if (!w->is_paused)
        ork_detector_pause_history(f->d);
    w->is_paused = true;
}

static void resume_history(struct ork_fold *f)
{
    struct walk *w = f->walk;

    if (w->is_paused)
        ork_detector_resume_history(f->d, w->has_left_out);
    w->is_paused = w->has_left_out = false;
}

/* The detector becomes what it would be without folding, except for what waits. */
static enum ork_status settle(struct ork_fold *f)
{
    struct walk *w = f->walk;
    enum ork_status status = ORK_OK;

    if (w->now != WALK_NONE) {
        status = lead(f);
        resume_history(f);
        if (status == ORK_OK)
            status = count_all(f);
        give_messages_back(f);
    }
    ORK_ASSERT(!w->is_paused);
    w->now = w->at = WALK_NONE;
    w->lost = 0;
    return status;
}

/* ---- steps ---- */

/* `after` is the state of the detector. */
static uint32_t enter_state(struct ork_fold *f)
{
    const struct free_ranks free = look_free(f);

    return ork_transitions_state(&f->walk->graph, &f->walk->after.words, &free);
}

/* The detector is where the run is. Is that a known state, or can it become one? */
static void find_state(struct ork_fold *f)
{
    struct walk *w = f->walk;
    const uint32_t lost = w->lost++;

    ORK_ASSERT(w->now == WALK_NONE);
    if ((lost % LOOK != 0 && (lost & (lost - 1)) != 0) ||
        ork_detector_counts(f->d).queued > QUEUED_MAX || !ork_detector_may_repeat(f->d))
        return;
    pause_history(f); /* before the state is written: it may forget communicators */
    if (write_state(f, &w->after) && (w->num_comms == 0 || w->num_comms == w->after.num_calls))
        w->now = w->at = enter_state(f);
    w->is_after = w->now != WALK_NONE;
    if (w->is_after) {
        w->num_comms = w->after.num_calls;
        w->lost = 0;
    } else {
        resume_history(f);
    }
}

static void look_up(struct ork_fold *f, struct transition *t)
{
    struct walk *w = f->walk;

    pause_history(f);
    t->times++;
    w->now = t->to;
    w->looked_up++;
    w->credit += w->credit < CREDIT_MAX;
    f->counts.records += t->added.records;
    f->counts.walked += t->added.records;
    for (uint32_t i = t->took; i < t->took + t->num_took; i++) {
        const struct took *took = &w->graph.took[i];
        struct walker *rank = &w->rank[took->rank];
        rank->taken[rank->num_taken++ % ORK_TAKEN_MAX] = took->taken;
        w->has_left_out = true;
    }
}

static void swap_states(struct walk *w)
{
    const struct ork_detector_state before = w->before;

    w->before = w->after;
    w->after = before;
}

/* The transition is new: make it, and remember it. */
static enum ork_status analyse(struct ork_fold *f, uint32_t r, uint32_t step)
{
    struct walk *w = f->walk;
    struct transition t = {.from = w->now, .rank = (uint16_t)r, .step = (uint16_t)step};
    enum ork_status status = lead(f);

    if (status != ORK_OK)
        return status;
    if (w->is_after)
        swap_states(w);
    else if (!write_state(f, &w->before))
        ORK_ASSERT(!"a state that was written can be written again");
    const struct state *from = &w->graph.state[w->now];
    ORK_ASSERT(w->before.words.count == from->num_words &&
               memcmp(w->before.words.word, w->graph.word + from->word,
                      from->num_words * sizeof(uint32_t)) == 0);
    resume_history(f);
    status = feed_step(f, r, step);
    if (status != ORK_OK)
        return status;
    w->analysed++;
    w->credit -= ANALYSED_COSTS;
    w->is_after = write_state(f, &w->after);
    bool good = w->is_after;
    if (good) {
        t.to = enter_state(f);
        good = t.to != WALK_NONE && ork_transitions_add(&w->graph, &t, &w->before, &w->after);
    }
    take_messages(f, good, &good);
    w->now = w->at = good ? t.to : WALK_NONE;
    if (good)
        return ORK_OK;
    if (w->is_after)
        w->credit = -1; /* no room */
    status = count_all(f);
    give_messages_back(f);
    return status;
}

/* The next step of the rank, which waits. */
static uint32_t next_step(struct walk *w, uint32_t r)
{
    struct walker *rank = &w->rank[r];
    const uint32_t step = rank->queue[rank->first];

    ORK_ASSERT(rank->count > 0);
    rank->first = (rank->first + 1) & (rank->room - 1);
    rank->count--;
    w->ready = rank->count > 0 ? w->ready : w->ready & ~bit(r);
    w->rests &= ~bit(r);
    if (rank->count > 0 && rank->steps.step[rank->queue[rank->first]].is_rest)
        w->rests |= bit(r);
    return step;
}

static enum ork_status make_step(struct ork_fold *f, uint32_t r)
{
    struct walk *w = f->walk;
    const uint32_t step = next_step(w, r);
    bool good = true;

    w->has_news = true;
    if (!w->rank[r].steps.step[step].is_rest)
        w->moved |= bit(r);
    if (w->now == WALK_NONE) {
        enum ork_status status = feed_step(f, r, step);
        take_messages(f, false, &good);
        find_state(f);
        return status;
    }
    const uint32_t found = ork_transitions_find(&w->graph, w->now, r, step);
    if (found == WALK_NONE)
        return analyse(f, r, step);
    look_up(f, &w->graph.transition[found]);
    return ORK_OK;
}

/* The ranks whose next step is made now. RATIONALE: a rank that is in a call waits. If its next
 * steps were queued in the detector, there would be as many states as it may be ahead of the
 * others. For the same reason, a rank waits that has completed receives whose messages are not
 * known. They may need it themselves, under strict semantics; so it does not wait for ever. */
static uint64_t may_step(const struct ork_fold *f)
{
    const struct walk *w = f->walk;
    const struct free_ranks free = w->now != WALK_NONE ? w->graph.state[w->now].free : look_free(f);
    uint64_t may = w->ready & ((free.all & ~free.ahead) | w->rests);

    for (uint64_t ahead = may == 0 ? w->ready & free.ahead : 0; ahead != 0; ahead &= ahead - 1) {
        const uint32_t r = (uint32_t)__builtin_ctzll(ahead);
        if (w->rank[r].count > AHEAD_MAX)
            may |= bit(r);
    }
    return may;
}

/* Make all steps that may be made. */
static enum ork_status go_on(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;
    uint64_t may;

    while (status == ORK_OK && f->walk->ready != 0 && (may = may_step(f)) != 0)
        status = make_step(f, (uint32_t)__builtin_ctzll(may));
    return status;
}

/* False: no memory, or too many wait. */
static bool add_step(struct walk *w, uint32_t r, uint32_t step)
{
    struct walker *rank = &w->rank[r];

    if (rank->count == rank->room) {
        const uint32_t room = rank->room > 0 ? 2 * rank->room : 64;
        uint16_t *queue = room <= WAITING_MAX ? malloc(room * sizeof(*queue)) : NULL;
        if (queue == NULL)
            return false;
        for (uint32_t i = 0; i < rank->count; i++)
            queue[i] = rank->queue[(rank->first + i) & (rank->room - 1)];
        free(rank->queue);
        rank->queue = queue;
        rank->first = 0;
        rank->room = room;
    }
    rank->queue[(rank->first + rank->count++) & (rank->room - 1)] = (uint16_t)step;
    if (rank->count == 1 && rank->steps.step[step].is_rest)
        w->rests |= bit(r);
    w->ready |= bit(r);
    return true;
}

/* ---- beginning and end ---- */

static bool may_fold(const struct ork_fold *f)
{
    return f->sink.may_fold == NULL || f->sink.may_fold(f->sink.context);
}

static void forget_periods(struct ork_fold *f)
{
    for (uint32_t r = 0; r < f->nprocs; r++) {
        ork_period_wait(&f->rank[r].period);
        f->rank[r].waves = f->waves;
        f->rank[r].fed = 0;
        f->rank[r].wholes = 0;
    }
    f->num_found = f->num_ready = 0;
}

static struct walk *create(const struct ork_fold *f)
{
    struct walk *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return NULL;
    w->rank = calloc(f->nprocs, sizeof(*w->rank));
    if (w->rank == NULL) {
        free(w);
        return NULL;
    }
    w->now = w->at = WALK_NONE;
    w->credit = CREDIT_FIRST;
    return w;
}

bool ork_walk_begins(struct ork_fold *f, size_t n)
{
    f->plain += n;
    if (f->plain < f->walk_after)
        return false;
    f->plain = 0;
    if (f->nprocs > WALK_RANKS_MAX || !may_fold(f) || (f->walk = create(f)) == NULL)
        return false;
    ork_fold_forget_state(f);
    forget_periods(f);
    for (uint32_t r = 0; r < f->nprocs; r++) {
        const uint32_t num = ork_detector_num_taken(f->d, r);
        f->walk->rank[r].num_seen = num - (num < ORK_TAKEN_MAX ? num : ORK_TAKEN_MAX);
    }
    bool good = true;
    take_messages(f, false, &good);
    return true;
}

static void destroy(struct walk *w, uint32_t nprocs)
{
    for (uint32_t r = 0; r < nprocs; r++) {
        ork_steps_release(&w->rank[r].steps);
        free(w->rank[r].queue);
    }
    free(w->rank);
    ork_transitions_release(&w->graph);
    ork_detector_release_state(&w->before);
    ork_detector_release_state(&w->after);
    ork_words_release(&w->other);
    free(w);
}

void ork_walk_destroy(struct ork_fold *f)
{
    if (f->walk != NULL)
        destroy(f->walk, f->nprocs);
    f->walk = NULL;
}

/* What waits. */
static enum ork_status feed_waiting(struct ork_fold *f, uint32_t r)
{
    struct walker *rank = &f->walk->rank[r];
    enum ork_status status = ORK_OK;

    while (rank->count > 0 && status == ORK_OK)
        status = feed_step(f, r, next_step(f->walk, r));
    if (status == ORK_OK)
        status = ork_fold_feed(f, r, rank->steps.open, rank->steps.num_open);
    ork_steps_cut(&rank->steps);
    return status;
}

enum ork_status ork_walk_unfold(struct ork_fold *f)
{
    struct walk *w = f->walk;
    enum ork_status status = settle(f);
    bool good = true;

    for (uint32_t r = 0; r < f->nprocs && status == ORK_OK; r++)
        status = feed_waiting(f, r);
    take_messages(f, false, &good);
    /* RATIONALE: whoever is told of records looks whether ranks are deadlocked. */
    if (status == ORK_OK && w->has_news)
        status = f->sink.feed(f->sink.context, 0, NULL, 0);
    w->has_news = false;
    return status;
}

enum ork_status ork_walk_end(struct ork_fold *f)
{
    const struct walk *w = f->walk;
    enum ork_status status = ork_walk_unfold(f);
    const bool was_worth = w->looked_up > WORTH * w->analysed;

    bool is_given_up = !was_worth && (w->credit < 0 || w->lost >= LOST_MAX);

    for (uint32_t r = 0; r < f->nprocs; r++)
        is_given_up |= w->rank[r].steps.has_failed;
    f->counts.given_up += is_given_up;
    if (!is_given_up)
        f->walk_after = f->walk_first;
    else if (f->walk_after < AFTER_MAX)
        f->walk_after *= LATER;
    ork_walk_destroy(f);
    forget_periods(f);
    return status;
}

bool ork_walk_has_moved(const struct ork_fold *f)
{
    return f->walk->moved == UINT64_MAX >> (WALK_RANKS_MAX - f->nprocs);
}

void ork_walk_look_again(struct ork_fold *f)
{
    f->walk->moved = 0;
}

/* ---- records ---- */

/* Take records up to the next step. *goes_on: the walk does. */
static enum ork_status take_some(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                                 size_t n, size_t *taken, bool *goes_on)
{
    struct walk *w = f->walk;
    struct steps *s = &w->rank[r].steps;
    const uint32_t known = s->count;
    uint32_t step;

    *taken = ork_steps_take(s, record, n, &step);
    *goes_on = !s->has_failed && w->credit >= 0 && w->lost < LOST_MAX;
    if (step == STEP_NONE)
        return ORK_OK;
    /* RATIONALE: a step that may not be one is fed behind those that wait, and nothing after it. */
    *goes_on = *goes_on && (s->count == known || ork_step_may_repeat(s, step));
    if (!add_step(w, r, step)) {
        *goes_on = false;
        enum ork_status status = ork_walk_unfold(f);
        return status == ORK_OK ? feed_step(f, r, step) : status;
    }
    return *goes_on ? go_on(f) : ORK_OK;
}

enum ork_status ork_walk_take(struct ork_fold *f, uint32_t rank, const struct ork_record *record,
                              size_t n, size_t *taken)
{
    enum ork_status status = ORK_OK;
    bool goes_on = may_fold(f);
    size_t i = 0;

    f->is_open = false;
    while (i < n && status == ORK_OK && goes_on) {
        size_t more;
        status = take_some(f, rank, record + i, n - i, &more, &goes_on);
        i += more;
    }
    *taken = i;
    return status == ORK_OK && !goes_on ? ork_walk_end(f) : status;
}
