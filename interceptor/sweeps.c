/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/sweeps.h"

#include "common/hash.h"
#include "interceptor/touch_lock.h"
#include "ranges/sweep.h"
#include "record/access.h"

#include <sched.h>
#include <stdlib.h>

enum {
    PLACES = 64,    /* of the code, in each thread */
    FINISHED = 256, /* sets of bytes that wait for the next record, in each thread */
    SPINS = 1000,   /* until a thread that waits for a lock gives up its processor */
    WRITTEN = 8192, /* sets of a thread between two calls; more are left out */
};

/* A place of the code. */
struct place {
    uintptr_t code; /* 0: not in use */
    uint32_t site, window;
    bool is_store;
    struct ork_sweep sweep;
};

struct finished {
    uint32_t site, window;
    bool is_store;
    struct ork_swept swept;
};

/* Of a thread. Its lock is taken by the thread itself, and, after the recorder's lock, by a thread
 * that writes records. */
struct sweeps {
    atomic_flag is_busy;
    _Atomic bool is_owned; /* by a thread that has not ended */
    _Atomic bool is_empty;
    uint32_t count, written;
    bool has_left_out; /* one was not written; this has not been told */
    struct place place[PLACES];
    struct finished finished[FINISHED];
    struct sweeps *next;
};

static _Atomic(struct sweeps *) all;
static _Thread_local struct sweeps *mine __attribute__((tls_model("initial-exec")));

static void lock(struct sweeps *s)
{
    for (unsigned n = 1; atomic_flag_test_and_set_explicit(&s->is_busy, memory_order_acquire); n++)
        if (n % SPINS == 0)
            sched_yield();
}

static void unlock(struct sweeps *s)
{
    atomic_flag_clear_explicit(&s->is_busy, memory_order_release);
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

/* Both locks are held. */
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

    lock(s);
    put_finished(s);
    for (unsigned i = 0; i < PLACES; i++) {
        struct place *p = &s->place[i];
        t.place = p;
        if (p->code != 0)
            ork_sweep_finish(&p->sweep, take, &t);
    }
    s->written = 0;
    atomic_store_explicit(&s->is_empty, true, memory_order_relaxed);
    unlock(s);
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
    for (struct sweeps *s = atomic_load(&all); s != NULL; s = s->next) {
        if (!atomic_load_explicit(&s->is_empty, memory_order_relaxed))
            flush(s);
    }
    ork_publish();
    ork_thread.in_library--;
}

/* The calling thread has too many sets. */
static void write_out(struct sweeps *s)
{
    if (!may_write() || s->written >= WRITTEN || !ork_touch_lock())
        return;
    lock(s);
    put_finished(s);
    unlock(s);
    ork_publish();
    ork_touch_unlock();
}

/* ---- threads ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* only for its destructor */
static bool has_key;

static void release(void *sweeps)
{
    struct sweeps *s = sweeps;

    mine = NULL;
    atomic_store(&s->is_owned, false);
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, release) == 0;
    ork_recorder.write_touches = flush_all;
}

/* Of a thread that has ended, or new. NULL: out of memory. RATIONALE: never freed, because another
 * thread may be reading the list. */
static struct sweeps *find(void)
{
    struct sweeps *s;

    pthread_once(&once, make_key);
    for (s = atomic_load(&all); s != NULL; s = s->next) {
        bool expected = false;
        if (atomic_compare_exchange_strong(&s->is_owned, &expected, true))
            break;
    }
    if (s == NULL) {
        s = calloc(1, sizeof(*s));
        if (s == NULL)
            return NULL;
        atomic_store(&s->is_owned, true);
        atomic_store(&s->is_empty, true);
        s->next = atomic_load(&all);
        while (!atomic_compare_exchange_weak(&all, &s->next, s))
            ;
    }
    if (has_key)
        pthread_setspecific(key, s);
    return s;
}

/* ---- accesses ---- */

static struct place *place_of(struct sweeps *s, const struct ork_window_touch *t)
{
    return &s->place[(ork_hash_short(t->code) ^ t->is_store) % PLACES];
}

static bool is_at(const struct place *p, const struct ork_window_touch *t)
{
    return p->code == t->code && p->window == t->window && p->is_store == t->is_store;
}

/* RATIONALE: the site is looked up before the locks are taken, because its record may have to be
 * written. False: the access is left out. */
static bool begin_place(struct sweeps *s, struct place *p, const struct ork_window_touch *t)
{
    uint32_t site;
    struct taking taking = {.sweeps = s, .place = p};

    if (!ork_touch_site(t->code, &site))
        return false;
    lock(s);
    ork_sweep_finish(&p->sweep, take, &taking);
    p->code = t->code;
    p->site = site;
    p->window = t->window;
    p->is_store = t->is_store;
    unlock(s);
    return true;
}

/* Tell the next writer of a record. */
static void note(struct sweeps *s)
{
    if (ORK_LIKELY(!atomic_load_explicit(&s->is_empty, memory_order_relaxed)))
        return;
    atomic_store_explicit(&s->is_empty, false, memory_order_relaxed);
    atomic_store_explicit(&ork_recorder.has_touches, true, memory_order_release);
}

void ork_sweeps_add(const struct ork_window_touch *t)
{
    struct sweeps *s = mine != NULL ? mine : (mine = find());
    int64_t low = (int64_t)t->address, size = (int64_t)t->size;

    if (s == NULL)
        return;
    struct place *p = place_of(s, t);
    if (ORK_UNLIKELY(!is_at(p, t)) && !begin_place(s, p, t))
        return;
    lock(s);
    if (ORK_UNLIKELY(!ork_sweep_continues(&p->sweep, low, size))) {
        struct taking taking = {.sweeps = s, .place = p};
        ork_sweep_break(&p->sweep, low, size, take, &taking);
    }
    note(s);
    bool is_full = s->count > FINISHED - ORK_SWEEP_LOOPS - 2;
    unlock(s);
    if (ORK_UNLIKELY(is_full))
        write_out(s);
}
