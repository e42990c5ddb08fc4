/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/sweeps.h"

#include "common/hash.h"
#include "interceptor/memory/touch_lock.h"
#include "interceptor/preload/thread_storage.h"
#include "bytes/ranges/sweep.h"
#include "record/access.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    PLACES = 64,    /* of the code, in each thread */
    FINISHED = 256, /* sets of bytes that wait for the next record, in each thread */
    WRITTEN = 8192, /* sets of a thread between two calls; more are left out */
};

/* A place of the code. */
struct place {
    uintptr_t code; /* 0: not in use */
    uint32_t site, window;
    bool is_store;
    struct ork_sweep sweep;
};

/* What makes a place. */
struct key {
    uintptr_t code;
    uint32_t window;
    bool is_store;
};

struct finished {
    uint32_t site, window;
    bool is_store;
    struct ork_swept swept;
};

/* Of a thread, its owner. Another one seizes it to write records, with the recorder's lock. */
struct sweeps {
    _Atomic bool is_busy;   /* the owner is using it */
    _Atomic bool is_seized; /* or another thread is, or waits until the owner is not */
    _Atomic bool is_owned;  /* by a thread that has not ended */
    _Atomic bool is_empty;
    uint32_t count, written;
    bool has_left_out; /* one was not written; this has not been told */
    struct place place[PLACES];
    struct finished finished[FINISHED];
    struct sweeps *next;
};

static _Atomic(struct sweeps *) all;
ORK_THREAD_LOCAL(struct sweeps *, ork_sweeps_mine);

/* RATIONALE: an access to a window takes this lock, and an atomic exchange would take as long as
 * all the rest of it. So the owner only stores and loads, and who seizes has the kernel order them.
 */
static bool has_barrier;

static inline void order_store_and_load(void)
{
    if (ORK_LIKELY(has_barrier))
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
}

static void unlock(struct sweeps *s)
{
    atomic_store_explicit(&s->is_busy, false, memory_order_release);
}

static __attribute__((noinline)) void lock_again(struct sweeps *s)
{
    do {
        unlock(s);
        while (atomic_load_explicit(&s->is_seized, memory_order_relaxed))
            sched_yield();
        atomic_store_explicit(&s->is_busy, true, memory_order_relaxed);
        order_store_and_load();
    } while (atomic_load_explicit(&s->is_seized, memory_order_acquire));
}

/* The owner does not have the recorder's lock, or nobody else has seized it. */
static inline void lock(struct sweeps *s)
{
    atomic_store_explicit(&s->is_busy, true, memory_order_relaxed);
    order_store_and_load();
    if (ORK_UNLIKELY(atomic_load_explicit(&s->is_seized, memory_order_acquire)))
        lock_again(s);
}

/* Seize what other threads have gathered. The recorder's lock is held. */
static void seize_all(void)
{
    bool has_others = false;
    int saved = errno;

    for (struct sweeps *s = atomic_load(&all); s != NULL; s = s->next) {
        if (s == ork_sweeps_mine || atomic_load_explicit(&s->is_empty, memory_order_relaxed))
            continue;
        atomic_store_explicit(&s->is_seized, true, memory_order_relaxed);
        has_others = true;
    }
    if (!has_others)
        return;
    if (has_barrier)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
    else
        atomic_thread_fence(memory_order_seq_cst);
    for (struct sweeps *s = atomic_load(&all); s != NULL; s = s->next)
        while (atomic_load_explicit(&s->is_seized, memory_order_relaxed) &&
               atomic_load_explicit(&s->is_busy, memory_order_acquire))
            sched_yield();
    errno = saved;
}

/* ---- records ---- */

static void put(struct sweeps *s, const struct finished *f)
{
    const struct ork_swept *w = &f->swept;
    struct ork_touch_list words = {.loops = w->loops};
    struct ork_record r = {.kind = ORK_KIND_TOUCH,
                           .thread = ork_thread.index,
                           .mode = f->is_store ? ORK_TOUCH_IS_STORE : ORK_TOUCH_IS_LOAD,
                           .site = f->site,
                           .comm = f->window,
                           .request = ORK_REQUEST_NULL,
                           .peer = ORK_NO_PEER,
                           .arg = s->has_left_out,
                           .bytes = (uint64_t)w->length,
                           .extra = (uint64_t)w->low};
    uint32_t word[ORK_TOUCH_WORDS];
    struct ork_list list;

    s->has_left_out = false;
    for (uint32_t i = 0; i < w->loops; i++)
        words.loop[i] = (struct ork_touch_loop){.stride = w->loop[i].stride,
                                                .count = (uint64_t)w->loop[i].count};
    memcpy(word, &words, sizeof(word));
    r.count = w->loops > 0 ? ORK_TOUCH_WORDS : 0;
    ork_list_begin(&list, &r);
    for (uint32_t i = 0; i < r.count; i++)
        ork_list_add(&list, word[i]);
    ork_list_end(&list);
}

struct taking {
    struct sweeps *sweeps;
    const struct place *place;
    bool is_flush;
};

/* RATIONALE: a thread that makes accesses without a pattern must not fill the ring. */
static void take(void *context, const struct ork_swept *swept)
{
    const struct taking *t = context;
    struct sweeps *s = t->sweeps;
    struct finished f = {.site = t->place->site,
                         .window = t->place->window,
                         .is_store = t->place->is_store,
                         .swept = *swept};

    if (t->is_flush)
        put(s, &f);
    else if (s->count < FINISHED)
        s->finished[s->count++] = f;
    else
        s->has_left_out = true;
}

/* The recorder's lock is held, and this is locked or seized. */
static void put_finished(struct sweeps *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        put(s, &s->finished[i]);
    s->written += s->count;
    s->count = 0;
}

static void flush(struct sweeps *s)
{
    struct taking t = {.sweeps = s, .is_flush = true};

    put_finished(s);
    for (unsigned i = 0; i < PLACES; i++) {
        struct place *p = &s->place[i];
        t.place = p;
        if (p->code != 0)
            ork_sweep_finish(&p->sweep, take, &t);
    }
    s->written = 0;
    atomic_store_explicit(&s->is_empty, true, memory_order_relaxed);
    atomic_store_explicit(&s->is_seized, false, memory_order_release);
}

/* RATIONALE: in a thread that has no number, or whose blocking call has not returned for the
 * record's reader, a record of an access could come between that of a call and its EXIT. */
static bool may_write(void)
{
    return ork_thread.line != NULL && ork_thread.state == ORK_STATE_RUNNING;
}

/* The recorder's lock is held, and a record of a call may follow. */
static void flush_all(void)
{
    if (!may_write())
        return;
    atomic_exchange(&ork_recorder.has_touches, false); /* comes after is_empty of its last setter */
    ork_thread.in_library++; /* no access by a signal handler is looked at */
    seize_all();
    for (struct sweeps *s = atomic_load(&all); s != NULL; s = s->next) {
        bool is_mine =
            s == ork_sweeps_mine && !atomic_load_explicit(&s->is_empty, memory_order_relaxed);
        if (is_mine || atomic_load_explicit(&s->is_seized, memory_order_relaxed))
            flush(s);
    }
    ork_publish();
    ork_thread.in_library--;
}

/* The calling thread has too many sets. */
static __attribute__((noinline)) void write_out(struct sweeps *s)
{
    int saved = errno;

    if (!may_write() || s->written >= WRITTEN)
        return;
    if (ork_touch_lock()) {
        lock(s);
        put_finished(s);
        unlock(s);
        ork_publish();
        ork_touch_unlock();
    }
    errno = saved;
}

/* ---- threads ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit; /* only for its destructor */
static bool has_key;

static void release(void *sweeps)
{
    struct sweeps *s = sweeps;

    ork_sweeps_mine = NULL;
    atomic_store(&s->is_owned, false);
}

static void make_key(void)
{
    has_key = pthread_key_create(&at_exit, release) == 0;
    has_barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0;
    ork_recorder.write_touches = flush_all;
}

/* Of a thread that has ended, or new. NULL: out of memory. RATIONALE: never freed, because another
 * thread may be reading the list. */
static __attribute__((noinline)) struct sweeps *find(void)
{
    struct sweeps *s;
    int saved = errno;

    pthread_once(&once, make_key);
    for (s = atomic_load(&all); s != NULL; s = s->next) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&s->is_owned, &expected, true))
            break;
    }
    if (s == NULL) {
        s = calloc(1, sizeof(*s));
        errno = saved;
        if (s == NULL)
            return NULL;
        atomic_store(&s->is_owned, true);
        atomic_store(&s->is_empty, true);
        s->next = atomic_load(&all);
        while (!atomic_compare_exchange_weak(&all, &s->next, s))
            ;
    }
    if (has_key)
        pthread_setspecific(at_exit, s);
    return s;
}

/* ---- accesses ---- */

static struct place *place_of(struct sweeps *s, struct key key)
{
    return &s->place[(ork_hash_short(key.code) ^ key.is_store) % PLACES];
}

static bool is_at(const struct place *p, struct key key)
{
    return p->code == key.code && p->window == key.window && p->is_store == key.is_store;
}

/* RATIONALE: the site is looked up before the locks are taken, because its record may have to be
 * written. False: the access is left out. */
static __attribute__((noinline)) bool begin_place(struct sweeps *s, struct place *p, struct key key)
{
    uint32_t site;
    struct taking taking = {.sweeps = s, .place = p};
    int saved = errno;
    bool is_found = ork_touch_site(key.code, &site);

    errno = saved;
    if (!is_found)
        return false;
    lock(s);
    ork_sweep_finish(&p->sweep, take, &taking);
    p->code = key.code;
    p->site = site;
    p->window = key.window;
    p->is_store = key.is_store;
    unlock(s);
    return true;
}

static __attribute__((noinline)) void add_break(struct sweeps *s, struct place *p, int64_t low,
                                                int64_t length)
{
    struct taking taking = {.sweeps = s, .place = p};

    ork_sweep_break(&p->sweep, low, length, take, &taking);
}

/* Tell the next writer of a record. */
static void note(struct sweeps *s)
{
    if (ORK_LIKELY(!atomic_load_explicit(&s->is_empty, memory_order_relaxed)))
        return;
    atomic_store_explicit(&s->is_empty, false, memory_order_relaxed);
    atomic_store_explicit(&ork_recorder.has_touches, true, memory_order_release);
}

void ork_sweeps_add(uintptr_t code, uint32_t window, bool is_store, uint64_t address, uint64_t size)
{
    struct sweeps *s = ork_sweeps_mine != NULL ? ork_sweeps_mine : (ork_sweeps_mine = find());
    const struct key key = {code, window, is_store};
    int64_t low = (int64_t)address, length = (int64_t)size;

    if (s == NULL)
        return;
    struct place *p = place_of(s, key);
    if (ORK_UNLIKELY(!is_at(p, key)) && !begin_place(s, p, key))
        return;
    lock(s);
    if (ORK_UNLIKELY(!ork_sweep_continues(&p->sweep, low, length)))
        add_break(s, p, low, length);
    note(s);
    bool is_full = s->count > FINISHED - ORK_SWEEP_LOOPS - 2;
    unlock(s);
    if (ORK_UNLIKELY(is_full))
        write_out(s);
}
