/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes records into this rank's ring (record/ring.h) and publishes the state of each thread. The
 * fast path is here, inline. May not touch stdout, errno or the application's memory. */
#ifndef ORK_RECORDER_H
#define ORK_RECORDER_H

#include "interceptor/preload/thread_storage.h"
#include "record/calls.h"
#include "record/ring.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define ORK_LIKELY(x)   __builtin_expect(!!(x), 1)
#define ORK_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* True from the return of MPI_Init until the return of MPI_Finalize, unless no leaf accepted the
 * ring or the leaf has ended. */
extern _Atomic bool ork_recording;

struct ork_recorder {
    struct ork_ring *ring;
    uint64_t head;       /* records written, published or not */
    uint64_t slot;       /* slots written */
    uint64_t limit;      /* of head: there, ork_ring_wait() wakes the leaf */
    uint64_t full;       /* of head: there, it waits until the leaf has taken more */
    uint64_t look;       /* of slot: look whether records repeat */
    uint32_t block;      /* of the repetition that goes on, in the latest slots; or 0 */
    uint32_t at;         /* the next record in it */
    uint64_t first;      /* number of the first repeated record; 0: there is none */
    uint64_t fast_until; /* of head: below it, the next call may have a template, see templates.h */
    int socket;          /* to the leaf; open until the process ends */
    bool multiple;       /* MPI_THREAD_MULTIPLE */
    bool is_locked;      /* the lock is needed: also if several threads call MPI though
                          * the level does not allow it */
    _Atomic uint32_t num_threads; /* that have called MPI so far */
    uint8_t fallible;         /* ORK_F_FALLIBLE: some collective call may return an error; or 0 */
    _Atomic bool has_touches; /* there are accesses that write_touches() writes, see sweeps.h */
    void (*write_touches)(void); /* only if is_locked */
    pthread_mutex_t lock;
};
extern struct ork_recorder ork_recorder;

/* What a thread does between two polls, measured after some of them. Times in nanoseconds. */
struct ork_gap {
    uint64_t left_ns;  /* when the poll returned; 0: this gap is not measured */
    uint64_t clock_ns; /* time to read the clock */
    uint64_t slept_ns; /* in which the thread yielded its processor: see gap.c */
    uint32_t sleeps;
    uint32_t losses;      /* sched_yield()s during which others had the processor */
    uint32_t clocks;      /* number of readings by the thread */
    uint32_t stride;      /* polls between two measurements, without variation */
    uint32_t polls;       /* since the latest measurement, until the next one */
    uint64_t looked_ns;   /* time of the latest measurement; 0: none yet */
    uint64_t looked_cpu;  /* the thread's processor time then */
    uint64_t poll_cpu_ps; /* lowest recent processor time of a poll and its gap */
};

/* A thread that calls MPI. */
struct ork_thread {
    struct ork_thread_state *line; /* NULL before the first recorded call */
    uint16_t index;
    uint8_t state;          /* enum ork_state, as last stored in the line */
    uint16_t call;          /* in a replay or deterministic run: its latest recorded call, */
    uint32_t site;          /* enum ork_call_id, and the call's site */
    uint64_t calls;         /* in these: so many recorded calls */
    uint32_t asked;         /* the leaf's requests that were answered, see early.h */
    uint32_t polls_to_look; /* polls until the next measurement */
    uint64_t probed_comm;   /* the communicator of its latest unsuccessful probe, see comms.h; */
    uint32_t probed_id, probed_version;
    struct ork_gap gap;
    /* See choice.h. */
    uint32_t ordinal; /* of its first recorded call among those of all threads, from 0 */
    uint64_t choices;
    uint64_t named;        /* the number of the first choice of its latest record that names one */
    uint64_t polls_before; /* the line's polls at its latest choice */
    uint64_t posts;        /* wildcard receives that it has posted */
    uint64_t locks;        /* window locks that it has taken and that are choice points */
    uint32_t receives;     /* nonblocking receives that it has started, modulo 2^24 */
    uint32_t open_usages;  /* wrong uses that were found in the call that it is in, see usage.h */
    const void *loses;     /* where its call stores a handle over that of a request: stored.h */
    uint64_t stack;        /* the stack pointer of the caller of its latest call, at the call; 0:
                            * not known */
    uint32_t in_library;   /* calls of the MPI library that it is in: the library may call back */
    uint16_t may_choose;   /* the one whose error handler is put off, see error_handlers.h; or 0 */
    /* In a replay: what it has to choose next, see replay.h; NULL: not read yet. */
    const struct ork_choice *next_choice;
};
ORK_THREAD_LOCAL(struct ork_thread, ork_thread);

/* Take over a ring that a leaf has accepted, with the socket to it. Recording starts with
 * ork_recorder_start(). */
void ork_recorder_adopt(struct ork_ring *ring, int socket);
void ork_recorder_start(bool multiple);

/* Record nothing more in this process. */
void ork_recorder_stop(void);

/* Has the leaf ended, or stopped for good? To be asked often while the rank waits for it. Says so
 * in the ring if it has only stopped, as it may continue. */
bool ork_recorder_is_alone(void);

/* Its leaf, which may sleep, looks at the ring. */
void ork_ring_wake_leaf(void);

/* Assign an index and a line to the calling thread, until it ends. See threads.c. */
void ork_thread_start(void);

/* The ring is full: publish, and wait until there is room. False: the leaf has ended or stopped,
 * and recording has stopped. */
bool ork_ring_wait(void);

/* Records that repeat, see record/ring.h: repeat.c. The latest record, whose list is not written
 * yet, may be the first of a repetition. */
void ork_repeat_look(void);
/* The repetition that goes on is over: another record follows. */
void ork_repeat_end(void);
/* Between two calls: look for a block that has one more iteration than the present one, if it is
 * not long. RATIONALE: the iterations of some loops have equal records, but take turns, as with two
 * buffers. */
void ork_repeat_widen(void);
/* The record was repeated, but this is another part of its list. */
void ork_repeat_end_inside(const struct ork_cont *cont);
/* With an empty ring: begin to look, unless --must:fold off. */
void ork_repeat_init(void);

/* Set the limit by what the leaf has taken. */
void ork_ring_set_limit(void);

/* Held during every use of the ring and of the tables of handles. */
static inline void ork_lock(void)
{
    if (ORK_LIKELY(!ork_recorder.is_locked))
        return;
    pthread_mutex_lock(&ork_recorder.lock);
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_recorder.has_touches, memory_order_relaxed)))
        ork_recorder.write_touches();
}

static inline void ork_unlock(void)
{
    if (ORK_UNLIKELY(ork_recorder.is_locked))
        pthread_mutex_unlock(&ork_recorder.lock);
}

/* Let the leaf see all records that were put. */
static inline void ork_publish(void)
{
    atomic_store_explicit(&ork_recorder.ring->head, ork_recorder.head, memory_order_release);
}

/* The next free slot, or NULL when recording has stopped. */
static inline struct ork_record *ork_slot(void)
{
    struct ork_recorder *r = &ork_recorder;

    if (ORK_UNLIKELY(r->head >= r->limit) && !ork_ring_wait())
        return NULL;
    r->head++;
    return &r->ring->slot[r->slot++ & (ORK_RING_RECORDS - 1u)];
}

/* The record that comes next if the repetition goes on. */
static inline const struct ork_record *ork_repeated(void)
{
    const struct ork_recorder *r = &ork_recorder;

    return &r->ring->slot[(r->slot - r->block + r->at) & (ORK_RING_RECORDS - 1u)];
}

static inline void ork_repeat_go_on(void)
{
    struct ork_recorder *r = &ork_recorder;

    r->at = r->at + 1 == r->block ? 0 : r->at + 1;
    r->head++;
}

/* Write one record without publishing it. RATIONALE: field by field, so that the caller's record
 * never exists in memory; a copy would load what was just stored in smaller pieces, and wait for
 * it. */
static inline __attribute__((always_inline)) void ork_put(const struct ork_record *record)
{
    if (ork_recorder.block != 0) {
        const struct ork_record *next = ork_repeated();
        uint64_t differ = 0;
#define ORK_FIELD(type, name) differ |= (uint64_t)(next->name ^ record->name);
#include "record/fields.def"
#undef ORK_FIELD
        if (ORK_LIKELY(differ == 0)) {
            if (ORK_UNLIKELY(ork_recorder.head >= ork_recorder.limit))
                ork_ring_wait(); /* not inside a list, because it publishes */
            ork_repeat_go_on();
            return;
        }
        ork_repeat_end();
    }
    struct ork_record *slot = ork_slot();

    if (ORK_UNLIKELY(slot == NULL))
        return;
#define ORK_FIELD(type, name) slot->name = record->name;
#include "record/fields.def"
#undef ORK_FIELD
    if (ORK_UNLIKELY(ork_recorder.slot >= ork_recorder.look))
        ork_repeat_look();
}

/* The list after a record, written word by word into the ring. The record's count must be the
 * number of words. */
struct ork_list {
    struct ork_cont *cont; /* the present slot; or the sink, in a repetition and once recording has
                              stopped */
    unsigned words;        /* in it */
    const struct ork_cont *next; /* in a repetition: the slot that comes next if it goes on */
    uint32_t differ;             /* 0: the words are those of `next` so far */
    struct ork_cont sink;
};

static inline void ork_list_begin(struct ork_list *list, const struct ork_record *record)
{
    list->words = 0;
    ork_put(record);
}

static inline void ork_list_end(struct ork_list *list)
{
    if (list->words == 0)
        return;
    list->cont->words = (uint8_t)list->words;
    if (list->next != NULL) {
        if (ORK_LIKELY(list->differ == 0 && list->next->kind == ORK_KIND_CONT &&
                       list->next->words == list->words))
            ork_repeat_go_on();
        else
            ork_repeat_end_inside(&list->sink);
    }
    list->words = 0;
}

static inline void ork_list_add(struct ork_list *list, uint32_t word)
{
    if (list->words == 0) {
        const struct ork_record *next = ork_recorder.block != 0 ? ork_repeated() : NULL;
        struct ork_record *slot = next != NULL ? NULL : ork_slot();
        list->next = (const struct ork_cont *)(const void *)next;
        list->differ = 0;
        list->cont = slot != NULL ? (struct ork_cont *)(void *)slot : &list->sink;
        *list->cont = (struct ork_cont){.kind = ORK_KIND_CONT};
    }
    if (list->next != NULL)
        list->differ |= list->next->word[list->words] ^ word;
    list->cont->word[list->words++] = word;
    if (list->words == ORK_CONT_WORDS)
        ork_list_end(list);
}

/* The whole list of a record at once: n numbers of two words each, at most 7. */
static inline __attribute__((always_inline)) void ork_list_put(const uint64_t *number, unsigned n)
{
    const struct ork_cont *next =
        ork_recorder.block != 0 ? (const struct ork_cont *)(const void *)ork_repeated() : NULL;
    struct ork_cont cont;

    if (next != NULL) {
        uint64_t differ = (uint64_t)(next->kind ^ ORK_KIND_CONT) | (next->words ^ 2 * n);
        for (unsigned i = 0; i < n; i++) {
            uint64_t other;
            memcpy(&other, &next->word[2 * i], sizeof(other));
            differ |= other ^ number[i];
        }
        if (ORK_LIKELY(differ == 0)) {
            ork_repeat_go_on();
            return;
        }
    }
    struct ork_cont *to = next != NULL ? &cont : (struct ork_cont *)(void *)ork_slot();
    if (to == NULL)
        return;
    *to = (struct ork_cont){.kind = ORK_KIND_CONT, .words = (uint8_t)(2 * n)};
    for (unsigned i = 0; i < n; i++)
        memcpy(&to->word[2 * i], &number[i], sizeof(number[i]));
    if (next != NULL)
        ork_repeat_end_inside(&cont);
}

/* Write a record whose list is `length` bytes of text, four packed per word. Sets count and
 * bytes. */
void ork_put_text(struct ork_record *record, const char *text, size_t length);

/* Set the state of the calling thread. Called with the lock held, after publishing. */
static inline void ork_set_state(enum ork_state state)
{
    ork_thread.state = (uint8_t)state;
    atomic_store_explicit(&ork_thread.line->word, ork_recorder.head << 8 | (uint64_t)state,
                          memory_order_release);
}

/* ---- polls ---- */

/* A gap between two polls is measured at most once in this many polls: seldom if polls are fast, so
 * that a measurement, which takes half a microsecond, costs less than 1 ns per poll; every time if
 * they are slow. */
#define ORK_POLL_STRIDE 512u
/* A loop that only polls needs less than this between two polls (20 ns, but 200 if a rank has just
 * got its processor back), and after a sleep at most that in addition. */
#define ORK_POLL_LOOP_NS UINT64_C(500)
#define ORK_POLL_WAKE_NS UINT64_C(2000)
/* A sched_yield() that takes this long has let others run. They leave the caches cold: of 350 gaps
 * beside 20 other processes, 100 took 2.5 to 5 us, 240 5 to 10, and 3 longer. */
#define ORK_POLL_AWAY_NS UINT64_C(100000)
#define ORK_POLL_COLD_NS UINT64_C(20000)

/* A measurement begins when a poll has returned, and ends when the next one begins. */
void ork_poll_look(void);
void ork_poll_looked(void);

/* A run of an exploration: unsuccessful polls can have records, see poll_records.h. */
extern bool ork_is_explored;

static inline void ork_poll_begin(void)
{
    if (ORK_UNLIKELY(ork_thread.gap.left_ns != 0))
        ork_poll_looked();
}

/* A Test or probe of the calling thread was unsuccessful. */
static inline __attribute__((always_inline)) void ork_poll(const struct ork_polled *polled)
{
    struct ork_thread_state *line = ork_thread.line;
    uint64_t polls = atomic_load_explicit(&line->polls, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&ork_recorder.ring->head, memory_order_relaxed);

    if (ORK_UNLIKELY(atomic_load_explicit(&line->poll_since, memory_order_relaxed) >> 32 !=
                     (uint32_t)head))
        atomic_store_explicit(&line->poll_since, head << 32 | (uint32_t)polls,
                              memory_order_relaxed);
    ork_polled_write(line, polled);
    if (ORK_UNLIKELY(--ork_thread.polls_to_look == 0))
        ork_poll_look();
}

/* It read the state of requests or a window. */
static inline __attribute__((always_inline)) void ork_poll_other(uint32_t site, uint32_t id)
{
    ork_poll(&(struct ork_polled){.site = site, .call = id, .peer = ORK_NO_PEER});
}

static inline __attribute__((always_inline)) void ork_poll_was_probe(void)
{
    struct ork_thread_state *line = ork_thread.line;
    uint64_t probes = atomic_load_explicit(&line->probes, memory_order_relaxed);

    atomic_store_explicit(&line->probes, probes + 1, memory_order_relaxed);
}

#endif
