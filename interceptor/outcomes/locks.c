/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/outcomes/locks.h"

#include "common/vec.h"
#include "interceptor/mpi/next.h"
#include "interceptor/site/call_record.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/site/map.h"
#include "interceptor/outcomes/replay.h"
#include "interceptor/ring/sections.h"
#include "record/access.h"
#include "record/lock_number.h"

#include <errno.h>
#include <stdlib.h>

/* ---- windows ---- */

struct window {
    uint64_t key;                /* the same at all members; 0: unknown */
    uint32_t size;               /* members */
    bool grants;                 /* a lock of one target is granted before its call returns */
    bool is_known;               /* whether the sections are counted, */
    struct ork_sections_row row; /* and where; no word: they are not */
    /* The numbers of the latest locks, as in record/lock_number.h. If there is a row. */
    uint32_t *latest;
};

static struct ork_map windows; /* by ORK_KEY(MPI_Win) */
static struct ork_ids window_ids;
static struct window *window;
static uint32_t num_windows;
/* That of the latest lock. RATIONALE: mostly it is that of the next one, too. NULL: none. */
static struct window *recent;
static MPI_Win recent_win;

/* Windows that were made by the same processes, by the key of these. RATIONALE: all of them make
 * their windows in one order, so each window gets the same number everywhere. */
static struct ork_map made;

static uint64_t window_key(MPI_Group group)
{
    uint64_t key = ork_sections_key(group);
    struct ork_entry *e = key != 0 ? ork_map_find(&made, key) : NULL;

    if (key != 0 && e == NULL)
        e = ork_map_insert(&made, key);
    return e != NULL ? ork_hash_add(key, e->flags++) : 0;
}

void ork_locks_add_window(MPI_Win win, MPI_Comm comm)
{
    struct ork_entry *e;
    struct window w = {0};
    MPI_Group group;
    int size = 0, saved = errno;

    if (ORK_NEXT(MPI_Comm_group)(comm, &group) != MPI_SUCCESS)
        return;
    ORK_NEXT(MPI_Group_size)(group, &size);
    w.size = (uint32_t)size;
    w.key = window_key(group);
    w.grants = ork_library_grants_locks(win);
    ORK_NEXT(MPI_Group_free)(&group);
    ork_locks_remove_window(win);
    e = ork_map_insert(&windows, ORK_KEY(win));
    if (e != NULL) {
        e->id = ork_ids_take(&window_ids);
        if (ork_vec_reserve(&window, &num_windows, e->id + 1, sizeof(*window)))
            window[e->id] = w;
        else
            ork_map_remove(&windows, e);
    }
    errno = saved;
}

void ork_locks_remove_window(MPI_Win win)
{
    struct ork_entry *e = ork_map_find(&windows, ORK_KEY(win));

    recent = NULL;
    if (e == NULL)
        return;
    free(window[e->id].latest);
    window[e->id] = (struct window){0};
    ork_ids_give(&window_ids, e->id);
    ork_map_remove(&windows, e);
}

/* RATIONALE: at the first lock, because most windows are never locked. */
static void know(struct window *w, MPI_Win win)
{
    MPI_Group group;
    int saved = errno;

    w->is_known = true;
    if (w->key == 0 || !ork_choices_are_recorded() ||
        ORK_NEXT(MPI_Win_get_group)(win, &group) != MPI_SUCCESS)
        return;
    if (ork_sections_are_shared_by(group))
        w->latest = calloc(ork_lock_all_series(w->size), sizeof(*w->latest));
    if (w->latest != NULL)
        w->row = ork_sections_find(w->key, w->size);
    ORK_NEXT(MPI_Group_free)(&group);
    errno = saved;
}

static struct window *window_of(MPI_Win win)
{
    const struct ork_entry *e;

    if (ORK_LIKELY(recent != NULL && recent_win == win))
        return recent;
    e = ork_map_find(&windows, ORK_KEY(win));
    recent = e != NULL ? &window[e->id] : NULL;
    recent_win = win;
    return recent;
}

/* RATIONALE: with MPI_MODE_NOCHECK the program guarantees that nothing conflicts, and the library
 * may grant the lock at once. */
static inline bool find(const struct ork_lock_call *lock, struct ork_lock *found)
{
    struct window *w = window_of(lock->win);
    bool is_all = lock->rank == ORK_NO_RANK;

    if (w == NULL || (lock->assertion & MPI_MODE_NOCHECK) != 0 || w->size < 2 ||
        (!is_all && (lock->rank < 0 || (uint32_t)lock->rank >= w->size)))
        return false;
    if (!w->is_known)
        know(w, lock->win);
    if (w->row.word == NULL)
        return false;
    bool is_exclusive = lock->type == MPI_LOCK_EXCLUSIVE;
    uint32_t series = ork_lock_series(is_all ? w->size : (uint32_t)lock->rank, is_exclusive);
    *found =
        (struct ork_lock){.word = w->row.word + (is_all ? 0 : (uint32_t)lock->rank * w->row.stride),
                          .stride = w->row.stride,
                          .targets = is_all ? w->size : 1,
                          .is_exclusive = is_exclusive,
                          .is_granted = w->grants && !is_all,
                          .latest = &w->latest[series]};
    return true;
}

bool ork_locks_find(const struct ork_lock_call *lock, struct ork_lock *found)
{
    return find(lock, found);
}

uint32_t ork_locks_order(const struct ork_lock_call *lock)
{
    const struct window *w = window_of(lock->win);
    struct ork_lock found;

    if ((lock->assertion & MPI_MODE_NOCHECK) != 0)
        return ORK_LOCK_IS_UNCHECKED;
    if (find(lock, &found))
        return ork_is_explored && lock->rank == ORK_NO_RANK ? ORK_LOCK_IS_UNCOUNTED
                                                            : ORK_LOCK_IS_CHOICE;
    return w != NULL && w->size < 2 ? ORK_LOCK_IS_CHOICE : ORK_LOCK_IS_UNCOUNTED;
}

/* ---- numbers ---- */

/* How many sections that conflict with the lock this word counts. */
static uint64_t conflicting(const struct ork_lock *lock, uint64_t word)
{
    return word / ORK_SECTIONS_EXCLUSIVE + (lock->is_exclusive ? word % ORK_SECTIONS_EXCLUSIVE : 0);
}

ORK_INLINE uint32_t number_of(const struct ork_lock *lock)
{
    uint64_t number = 0;

    if (ORK_LIKELY(lock->targets == 1))
        return (uint32_t)conflicting(lock, atomic_load(lock->word)) & INT32_MAX;
    for (uint32_t i = 0; i < lock->targets; i++)
        number += conflicting(lock, atomic_load(&lock->word[(size_t)i * lock->stride]));
    return (uint32_t)number & INT32_MAX;
}

uint32_t ork_locks_number(const struct ork_lock *lock)
{
    return number_of(lock);
}

bool ork_locks_have_reached(const struct ork_lock *lock, uint32_t wanted)
{
    return ((ork_locks_number(lock) - wanted) & INT32_MAX) <= INT32_MAX / 2;
}

/* ---- sections ---- */

/* A section that was entered. */
struct section {
    MPI_Win win;
    int rank; /* as in struct ork_lock_call */
    struct ork_lock lock;
    /* Of the choice that was made when it began. */
    int32_t number;
    uint32_t thread;
    uint64_t ordinal;
};

static struct section *sections;
static uint32_t num_sections, section_room;

/* RATIONALE: where locks are granted late, fewer sections may have been counted when this one was
 * recorded than in its replay, which has waited for all of them. Eager locks (eager.h) are not
 * late: there, another number is another order. */
static __attribute__((noinline)) uint32_t followed(const struct section *s, uint32_t number)
{
    const struct ork_choice *c = ork_thread.next_choice;

    if (ork_is_explored)
        return number;
    /* RATIONALE: mostly it is the next choice, which need not be looked for. */
    if (c == NULL || c->kind != ORK_CHOICE_LOCK || c->post != s->ordinal)
        c = ork_replay_outcome(ORK_CHOICE_LOCK, s->thread, s->ordinal);
    return c != NULL && c->tag != ORK_CHOICE_FAILED &&
                   ork_locks_have_reached(&s->lock, (uint32_t)c->tag)
               ? (uint32_t)c->tag
               : number;
}

static void choose(const struct ork_call *call, enum ork_choice_kind kind, const struct section *s,
                   uint32_t number)
{
    ork_choice_locked(call, kind, s->thread, s->ordinal,
                      s->rank == ORK_NO_RANK ? ORK_NO_PEER : s->rank, (int32_t)number);
}

/* Room for another section; NULL: out of memory. */
static struct section *room(void)
{
    bool has_room = num_sections < section_room;

    if (ORK_UNLIKELY(!has_room)) {
        int saved = errno;
        has_room = ork_vec_reserve(&sections, &section_room, num_sections + 1, sizeof(*sections));
        errno = saved;
    }
    return has_room ? &sections[num_sections] : NULL;
}

/* The lock of the section that comes next, which is known, was taken. */
ORK_INLINE void enter(const struct ork_call *call, const struct ork_lock_call *lock,
                      struct section *s, uint32_t *since)
{
    num_sections++;
    s->win = lock->win;
    s->rank = lock->rank;
    s->thread = ork_thread.ordinal;
    s->ordinal = ++ork_thread.locks;
    uint32_t number = number_of(&s->lock);
    if (ORK_UNLIKELY(ork_replay_is_on()))
        number = followed(s, number);
    s->number = (int32_t)number;
    *since = ork_lock_number_since(s->lock.latest, ork_thread.index, number);
    choose(call, ORK_CHOICE_LOCK, s, number);
}

/* RATIONALE: written where it stays, because what was just stored in parts is copied slowly. */
bool ork_locks_take(const struct ork_call *call, const struct ork_lock_call *lock, uint32_t *since)
{
    struct section *s = room();

    if (s == NULL || !find(lock, &s->lock))
        return false;
    enter(call, lock, s, since);
    return true;
}

bool ork_locks_take_found(const struct ork_call *call, const struct ork_lock_call *lock,
                          const struct ork_lock *found, uint32_t *since)
{
    struct section *s = room();

    if (s == NULL)
        return false;
    s->lock = *found;
    enter(call, lock, s, since);
    return true;
}

void ork_locks_fail(const struct ork_call *call, const struct ork_lock_call *lock)
{
    struct ork_lock found;

    if (find(lock, &found))
        ork_choice_lock_failed(call, lock->rank == ORK_NO_RANK ? ORK_NO_PEER : lock->rank,
                               ORK_CHOICE_FAILED);
}

/* The latest one of this target, or of all; NULL: it is not counted. */
static struct section *section_of(MPI_Win win, int rank)
{
    for (uint32_t i = num_sections; i-- > 0;) {
        if (sections[i].win == win && sections[i].rank == rank)
            return &sections[i];
    }
    return NULL;
}

/* RATIONALE: the flush after an ordered atomic waits for the lock of the target. If the library may
 * grant that later than the access needs it, the program would wait for more than it does. What is
 * done under an exclusive lock is ordered by the locks. */
uint64_t ork_locks_key(MPI_Win win, int target)
{
    struct window *w = window_of(win);

    if (w == NULL || w->size < 2 || target < 0 || (uint32_t)target >= w->size ||
        !(w->grants || ork_is_explored))
        return 0;
    if (!w->is_known)
        know(w, win);
    const struct section *s = section_of(win, target);
    if (w->row.word == NULL || (s != NULL && s->lock.is_exclusive))
        return 0;
    return ork_hash_add(w->key, (uint64_t)target);
}

static void forget(struct section *s)
{
    const struct section *last = &sections[--num_sections];

    if (s != last)
        *s = *last;
}

/* RATIONALE: nobody else counts a section while an exclusive lock is
 * held, so that one needs no atomic addition. */
uint32_t ork_locks_count(const struct ork_lock *lock)
{
    uint64_t number = 0;

    if (lock->is_exclusive) {
        uint64_t word = atomic_load_explicit(lock->word, memory_order_acquire);
        atomic_store_explicit(lock->word, word + ORK_SECTIONS_EXCLUSIVE, memory_order_release);
        return (uint32_t)conflicting(lock, word) & INT32_MAX;
    }
    if (ORK_LIKELY(lock->targets == 1))
        return (uint32_t)conflicting(lock, atomic_fetch_add(lock->word, ORK_SECTIONS_SHARED)) &
               INT32_MAX;
    for (uint32_t i = 0; i < lock->targets; i++)
        number += conflicting(
            lock, atomic_fetch_add(&lock->word[(size_t)i * lock->stride], ORK_SECTIONS_SHARED));
    return (uint32_t)number & INT32_MAX;
}

static void wait_for_grant(const struct ork_lock_call *lock)
{
    if (lock->rank == ORK_NO_RANK)
        ORK_NEXT(MPI_Win_flush_all)(lock->win);
    else
        ORK_NEXT(MPI_Win_flush)(lock->rank, lock->win);
}

/* RATIONALE: the library may grant a lock after MPI_Win_lock has returned. A flush waits for that,
 * as the call that releases the lock would. From then on the number stays, because a conflicting
 * section has either been counted or has to wait. */
void ork_locks_leave(const struct ork_call *call, const struct ork_lock_call *lock)
{
    ork_lock();
    struct section *s = section_of(lock->win, lock->rank);
    if (s != NULL && !s->lock.is_granted) {
        ork_unlock();
        wait_for_grant(lock);
        ork_lock();
        s = section_of(lock->win, lock->rank);
    }
    if (s != NULL) {
        const uint32_t number = ork_locks_count(&s->lock);
        /* Were more before it than seemed to be when its lock was taken? */
        if (number != (uint32_t)s->number)
            choose(call, ORK_CHOICE_LATE_LOCK, s, number);
        forget(s);
    }
    ork_unlock();
}
