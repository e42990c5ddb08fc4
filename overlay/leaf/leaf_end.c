/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank ended: from its published states, its latest records and its own note. */
#include "overlay/leaf/leaf_internal.h"

#include <string.h>
#include <time.h>

/* Of the stack that is sent up. */
static const struct ork_stack_limits limits = {.frames = ORK_NOTE_FRAMES, .milliseconds = 500};

static enum ork_state state_of(const struct ork_ring *ring, uint32_t thread)
{
    return (enum ork_state)(atomic_load_explicit(&ring->thread[thread].word, memory_order_acquire) &
                            0xff);
}

static enum ork_death death_of(const struct local *l)
{
    uint32_t threads = atomic_load(&l->ring->threads);
    enum ork_death how = threads == 0 ? ORK_DEATH_STARTING : ORK_DEATH_OUTSIDE;

    if (l->broken)
        return ORK_DEATH_INSIDE; /* unknown: the rank is not blamed */
    if (threads == 0 && atomic_load(&l->ring->begun) == 0)
        return ORK_DEATH_BEFORE;
    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS; t++) {
        enum ork_state state = state_of(l->ring, t);
        if (state == ORK_STATE_DONE)
            return ORK_DEATH_FINISHED;
        if (state == ORK_STATE_BLOCKED)
            how = ORK_DEATH_INSIDE;
    }
    return how;
}

/* The thread that wrote the note; UINT32_MAX: it has not called MPI, or there is no note. */
static uint32_t thread_of(const struct ork_ring *ring, uint32_t tid)
{
    uint32_t threads = atomic_load(&ring->threads);

    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS && tid != 0; t++) {
        if (atomic_load(&ring->thread[t].tid) == tid)
            return t;
    }
    return UINT32_MAX;
}

/* RATIONALE: the thread that ends the process shows where it was; the others do not matter. */
static enum ork_death where_of(const struct local *l, enum ork_death how, uint32_t thread)
{
    if (thread == UINT32_MAX || how == ORK_DEATH_FINISHED || l->broken)
        return how;
    return state_of(l->ring, thread) == ORK_STATE_BLOCKED ? ORK_DEATH_INSIDE : ORK_DEATH_OUTSIDE;
}

/* The latest call of a thread (UINT32_MAX: of any) that is still in the ring; kind CONT: none. */
static struct ork_record last_call(const struct local *l, uint32_t thread)
{
    struct ork_ring_back back = ork_ring_back(l->ring);

    for (unsigned i = 0; i < ORK_RING_RECORDS && !l->broken; i++) {
        const struct ork_record *record = ork_ring_previous(&back);
        if (record == NULL)
            break;
        struct ork_record r = *record;
        if (ork_record_is_call(&r) && (thread == UINT32_MAX || r.thread == thread))
            return r;
    }
    return (struct ork_record){.kind = ORK_KIND_CONT};
}

/* Only if the latest polls are later than all records of the rank. `thread`: UINT32_MAX: any. */
static void note_polls(const struct local *l, uint32_t thread, struct ork_ending *e)
{
    const uint32_t head = (uint32_t)atomic_load(&l->ring->head);
    uint32_t threads = atomic_load(&l->ring->threads);

    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS; t++) {
        const struct ork_thread_state *line = &l->ring->thread[t];
        uint64_t polls = atomic_load(&line->polls), since = atomic_load(&line->poll_since);
        bool is_wanted = thread == UINT32_MAX || thread == t;
        if (!is_wanted || polls <= e->polls || since >> 32 != head ||
            (uint32_t)since == (uint32_t)polls)
            continue;
        e->polls = polls;
        e->polled = ork_polled_read(l->ring, t);
    }
}

static uint64_t real_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct ork_ending ending_of(const struct local *l, const struct ork_note *note)
{
    enum ork_note_kind kind = (enum ork_note_kind)atomic_load(&note->kind);
    bool known = kind > ORK_NOTE_NONE && kind <= ORK_NOTE_ABORT && !l->broken;
    uint32_t thread = known ? thread_of(l->ring, note->tid) : UINT32_MAX;
    struct ork_ending e = {.how = where_of(l, death_of(l), thread),
                           .full_waits = l->broken ? 0 : atomic_load(&l->ring->full_waits),
                           .time_ns = real_now(),
                           .last = last_call(l, thread),
                           .polled = {.peer = ORK_NO_PEER}};

    if (!l->broken)
        note_polls(l, thread, &e);
    if (!known)
        return e;
    e.kind = kind;
    e.value = note->value;
    e.code = note->code;
    e.sender = note->sender;
    e.time_ns = note->time_ns;
    e.call = kind == ORK_NOTE_SIGNAL ? ork_stack_layer_of_note(note) : note->call;
    e.text = note->text;
    return e;
}

/* RATIONALE: a rank that ended normally needs no stack. */
static bool is_worth_a_stack(const struct ork_ending *e)
{
    return e->kind != ORK_NOTE_NONE && (e->how != ORK_DEATH_FINISHED ||
                                        e->kind == ORK_NOTE_SIGNAL || e->kind == ORK_NOTE_ERROR);
}

static enum ork_status name_stack(struct ork_leaf *leaf, const struct ork_note *note,
                                  struct ork_rank_row *wait)
{
    struct ork_stack stack = {.num_frames = 0};
    enum ork_status status = leaf->stacks != NULL ? ORK_OK : ork_stacks_create(&leaf->stacks);

    if (status == ORK_OK)
        status = ork_stack_of_note(leaf->stacks, note, &limits, &stack);
    if (status == ORK_OK)
        status = ork_stack_give(&stack, wait);
    ork_stack_release(&stack);
    return status;
}

enum ork_status ork_leaf_report_end(struct ork_leaf *leaf, const struct local *l)
{
    struct ork_note note = l->ring->note; /* a copy: the memory may still change */
    struct ork_rank_row wait = {.rank = l->rank};
    enum ork_status status = ORK_OK;

    note.call[sizeof(note.call) - 1] = note.text[sizeof(note.text) - 1] = '\0';
    struct ork_ending ending = ending_of(l, &note);
    if (is_worth_a_stack(&ending))
        status = name_stack(leaf, &note, &wait);
    if (wait.num_stack > 0)
        ending.wait = &wait;
    if (status == ORK_OK)
        status = ork_up_deliver(
            leaf->up,
            &(struct ork_event){.kind = ORK_EVENT_END, .rank = l->rank, .ending = &ending});
    ork_rank_row_release(&wait);
    return status;
}
