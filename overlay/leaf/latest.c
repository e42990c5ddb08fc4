/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/latest.h"

#include "record/calls.h"
#include "record/ring_reader.h"

#include <string.h>

/* BACK_MAX: how many records back those that are wanted may end. WORDS_MAX, AWAITED_MAX: of more
 * requests it stays unknown where they were waited for. */
enum { REDEFINED_MAX = 64, BACK_MAX = 1 << 20, WORDS_MAX = 240, AWAITED_MAX = 240 };

/* One thread, read backwards: its calls, the latest first. */
struct thread_back {
    struct ork_latest_call call[ORK_LATEST_CALLS + 1]; /* one more, which is still being counted */
    uint64_t oldest[ORK_LATEST_CALLS + 1];             /* the oldest slot of its records */
    uint32_t count;
    struct ork_record exit; /* of the following call; kind EXIT: there is one */
    struct awaited {
        uint32_t request, call; /* which call[] waited for it */
    } awaited[AWAITED_MAX];
    uint32_t num_awaited;
    bool is_polled; /* its failed polls have been inserted */
    bool is_inside; /* inside the latest call that it wrote */
};

struct back {
    struct thread_back thread[ORK_LATEST_THREADS];
    uint32_t threads;
    uint32_t redefined[REDEFINED_MAX]; /* numbers of communicators that were reused since */
    uint32_t num_redefined;
    uint32_t word[WORDS_MAX]; /* of the list of the next record, the last one first */
    uint32_t num_words;       /* UINT32_MAX: too many */
};

/* A slot may contain any bytes. RATIONALE: MPI_Pcontrol is worth a line here. */
static bool is_call(const struct ork_record *r)
{
    return (ork_record_is_call(r) || r->kind == ORK_KIND_CONTROL) && r->call > ORK_CALL_NONE &&
           r->call < ORK_CALL_MAX;
}

static bool takes_message(const struct ork_record *r)
{
    return r->kind == ORK_KIND_RECV || r->kind == ORK_KIND_PROBE || r->kind == ORK_KIND_SENDRECV;
}

/* Are these two calls equal for the user? Their requests and choices differ. */
static bool is_same_call(const struct ork_latest_call *a, const struct ork_latest_call *b)
{
    struct ork_record x = a->call, y = b->call;

    x.request = y.request = 0;
    x.extra = y.extra = 0;
    return ork_record_is_same(&x, &y) && a->took == b->took && a->took_tag == b->took_tag &&
           a->error == b->error && !a->inside && !b->inside;
}

/* ---- which call waited for a request ---- */

static void keep_words(struct back *b, const struct ork_record *r)
{
    struct ork_cont cont;

    memcpy(&cont, r, sizeof(cont));
    if (b->num_words > WORDS_MAX - ORK_CONT_WORDS || cont.words > ORK_CONT_WORDS) {
        b->num_words = UINT32_MAX;
        return;
    }
    for (unsigned i = cont.words; i > 0; i--)
        b->word[b->num_words++] = cont.word[i - 1];
}

/* The call that was added last waits for all of these requests, or has completed them: a list of
 * requests, or of (request, source, tag). RATIONALE: the words are read backwards, as the records
 * are. */
static void keep_awaited(const struct back *b, struct thread_back *t, const struct ork_record *r)
{
    bool waits = r->kind == ORK_KIND_WAIT && (r->mode == ORK_WAIT_ONE || r->mode == ORK_WAIT_ALL);
    unsigned step = waits ? 1 : 3;

    if ((!waits && r->kind != ORK_KIND_TESTED) || b->num_words == UINT32_MAX)
        return;
    for (uint32_t i = step - 1; i < b->num_words && t->num_awaited < AWAITED_MAX; i += step)
        t->awaited[t->num_awaited++] =
            (struct awaited){.request = b->word[i], .call = t->count - 1};
}

/* How many calls later the thread waited for the request of this call; 0: unknown. */
static uint32_t awaited_after(const struct thread_back *t, const struct ork_record *r)
{
    bool makes = ork_record_has(r, ORK_MAKES_REQUEST) && r->request < ORK_REQUEST_SHARED &&
                 (r->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == ORK_F_NONBLOCKING;

    for (uint32_t i = t->num_awaited; makes && i > 0; i--) {
        if (t->awaited[i - 1].request == r->request)
            return t->count - t->awaited[i - 1].call;
    }
    return 0;
}

/* ---- iterations ---- */

/* Are the `n` calls that were added last those of the `n` before, which may be folded already?
 * Nothing else of them is. RATIONALE: the fold of an iteration is noted at its oldest call, the
 * last of its calls in the array. */
static bool is_repeated(const struct thread_back *t, uint32_t n)
{
    uint32_t older = t->count - n, newer = older - n;

    for (uint32_t i = 0; i < n; i++) {
        const struct ork_latest_call *a = &t->call[older + i], *b = &t->call[newer + i];
        bool is_folded = b->iteration == n && i == n - 1;
        if (!is_same_call(a, b) || a->times != b->times || a->awaited_after != b->awaited_after ||
            a->iteration != 0 || (b->iteration != 0 && !is_folded))
            return false;
    }
    return true;
}

/* The calls that wait for requests of the iteration that goes are those of the one that stays. */
static void forget_iteration(struct thread_back *t, uint32_t n)
{
    t->count -= n;
    for (uint32_t i = 0; i < t->num_awaited; i++) {
        if (t->awaited[i].call >= t->count)
            t->awaited[i].call -= n;
    }
}

/* Invariant: a fold is not part of another one, and its oldest call is not counted any more. */
static void fold(struct thread_back *t)
{
    for (uint32_t n = 2; n <= ORK_ITERATION_CALLS && 2 * n <= t->count; n++) {
        if (!is_repeated(t, n))
            continue;
        struct ork_latest_call *first = &t->call[t->count - n - 1];
        first->iterations = first->iteration == 0 ? 2 : first->iterations + 1;
        first->iteration = n;
        forget_iteration(t, n);
        return;
    }
}

static void add(struct thread_back *t, const struct ork_latest_call *call, uint64_t slot)
{
    struct ork_latest_call *last = t->count > 0 ? &t->call[t->count - 1] : NULL;

    if (last != NULL && last->iteration == 0 && is_same_call(last, call)) {
        if (call->awaited_after != last->awaited_after + 1)
            last->awaited_after = 0;
        last->times += last->times < UINT32_MAX;
        if (slot < t->oldest[t->count - 1])
            t->oldest[t->count - 1] = slot;
    } else if (t->count <= ORK_LATEST_CALLS) {
        t->oldest[t->count] = slot;
        t->call[t->count++] = *call;
    } else {
        return;
    }
    fold(t);
}

static bool is_redefined(const struct back *b, uint32_t comm)
{
    for (uint32_t i = 0; i < b->num_redefined; i++) {
        if (b->redefined[i] == comm)
            return true;
    }
    return b->num_redefined == REDEFINED_MAX && comm > ORK_COMM_SELF;
}

/* The unsuccessful polls that began after the records before this one. */
static void add_polls(struct back *b, const struct ork_ring_back *back)
{
    for (uint32_t i = 0; i < b->threads; i++) {
        const struct ork_thread_state *line = &back->ring->thread[i];
        struct thread_back *t = &b->thread[i];
        uint64_t since = atomic_load_explicit(&line->poll_since, memory_order_relaxed);
        if (t->is_polled || since == 0 || (uint32_t)(since >> 32) != (uint32_t)back->number)
            continue;
        uint32_t times = (uint32_t)atomic_load(&line->polls) - (uint32_t)since;
        const struct ork_polled latest = ork_polled_read(back->ring, i);
        struct ork_latest_call polls = {
            .call = ork_polled_record(&latest), .times = times, .took = ORK_NO_PEER};
        polls.call.thread = (uint16_t)i;
        if (is_redefined(b, polls.call.comm))
            polls.call.comm = ORK_COMM_UNKNOWN;
        if (atomic_load_explicit(&line->poll_since, memory_order_relaxed) != since)
            continue; /* these are of polls that began in the meantime */
        t->is_polled = true;
        if (times > 0 && is_call(&polls.call))
            add(t, &polls, back->slot);
    }
}

static void take_call(struct back *b, struct thread_back *t, const struct ork_record *r,
                      uint64_t slot)
{
    struct ork_latest_call call = {.call = *r,
                                   .times = 1,
                                   .took = ORK_NO_PEER,
                                   .inside = t->is_inside && t->count == 0,
                                   .awaited_after = awaited_after(t, r)};

    if (t->exit.kind == ORK_KIND_EXIT && (t->exit.flags & ORK_F_ERROR) != 0) {
        call.error = t->exit.arg;
    } else if (t->exit.kind == ORK_KIND_EXIT && takes_message(r)) {
        call.took = t->exit.peer;
        call.took_tag = t->exit.tag;
    }
    t->exit.kind = ORK_KIND_CONT;
    if (is_redefined(b, r->comm))
        call.call.comm = ORK_COMM_UNKNOWN;
    add(t, &call, slot);
    keep_awaited(b, t, r);
}

static void take(struct back *b, const struct ork_record *r, uint64_t slot)
{
    if (r->kind == ORK_KIND_COMM_DEF && b->num_redefined < REDEFINED_MAX &&
        !is_redefined(b, r->comm))
        b->redefined[b->num_redefined++] = r->comm;
    if (r->kind == ORK_KIND_CONT) {
        keep_words(b, r);
        return;
    }
    if (r->thread < b->threads) {
        struct thread_back *t = &b->thread[r->thread];
        if (r->kind == ORK_KIND_EXIT)
            t->exit = *r;
        else if (is_call(r))
            take_call(b, t, r, slot);
    }
    b->num_words = 0;
}

/* Go back over records that are queued in the detector, as it counts them: definitions are not. */
static void skip_back(struct ork_ring_back *back, uint32_t skip)
{
    uint32_t conts = 0;

    while (skip > 0) {
        const struct ork_record *record = ork_ring_previous(back);
        if (record == NULL)
            return;
        struct ork_record r = *record;
        uint32_t records = conts + 1;
        if (r.kind == ORK_KIND_CONT) {
            conts++;
            continue;
        }
        conts = 0;
        if (!ork_record_has(&r, ORK_IS_SOURCE))
            skip -= records < skip ? records : skip;
    }
}

static bool is_full(const struct back *b)
{
    for (uint32_t i = 0; i < b->threads; i++) {
        if (b->thread[i].count <= ORK_LATEST_CALLS)
            return false;
    }
    return true;
}

/* Sort with the oldest first, without what the rank has overwritten in the meantime: `slot` is
 * written next. */
static void turn_round(const struct back *b, uint64_t slot, struct ork_latest *latest)
{
    latest->num_calls = 0;
    for (uint32_t i = 0; i < b->threads; i++) {
        const struct thread_back *t = &b->thread[i];
        uint32_t n = t->count < ORK_LATEST_CALLS ? t->count : ORK_LATEST_CALLS;
        while (n > 0 && t->oldest[n - 1] + ORK_RING_RECORDS <= slot)
            n--;
        while (n > 0)
            latest->call[latest->num_calls++] = t->call[--n];
    }
}

/* Begin after the latest record that is wanted. */
static void begin(struct ork_ring_back *back, const struct ork_until *until)
{
    uint32_t later = until->past ? (uint32_t)back->number - until->records : 0;

    for (uint32_t i = 0; i < later; i++) {
        if (i == BACK_MAX || ork_ring_previous(back) == NULL) {
            back->slot = back->least;
            back->repeated = 0;
            return;
        }
    }
    skip_back(back, until->skip);
}

void ork_latest_read(const struct ork_ring *ring, const struct ork_until *until,
                     struct ork_latest *latest)
{
    struct back b = {.threads = atomic_load(&ring->threads)};
    struct ork_ring_back back = ork_ring_back(ring);

    if (b.threads > ORK_LATEST_THREADS)
        b.threads = ORK_LATEST_THREADS;
    for (uint32_t i = 0; i < b.threads && !until->past; i++) {
        uint64_t word = atomic_load_explicit(&ring->thread[i].word, memory_order_acquire);
        b.thread[i].is_inside = (word & 0xff) == ORK_STATE_BLOCKED;
    }
    begin(&back, until);
    /* RATIONALE: as many as the ring has of a rank that repeats nothing. */
    for (uint32_t i = 0; i < ORK_RING_RECORDS - 1 && !is_full(&b); i++) {
        add_polls(&b, &back);
        const struct ork_record *record = ork_ring_previous(&back);
        if (record == NULL)
            break;
        struct ork_record r = *record;
        take(&b, &r, back.read);
    }
    turn_round(&b, ork_ring_back(ring).slot, latest);
}
