/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes records into this rank's ring (record/ring.h) and says what each thread is doing. The fast
 * path is here, inline. May not touch stdout, errno or the application's memory. */
#ifndef ORK_RECORDER_H
#define ORK_RECORDER_H

#include "record/calls.h"
#include "record/ring.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define ORK_LIKELY(x)   __builtin_expect(!!(x), 1)
#define ORK_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* True from the return of MPI_Init until the return of MPI_Finalize, unless no leaf took the ring
 * or it went away. */
extern _Atomic bool ork_recording;

struct ork_recorder {
    struct ork_ring *ring;
    uint64_t head; /* records written, published or not */
    uint64_t tail; /* records taken by the leaf, when last looked at */
    int socket;    /* to the leaf; open until the process ends */
    bool multiple; /* MPI_THREAD_MULTIPLE: the lock counts */
    pthread_mutex_t lock;
};
extern struct ork_recorder ork_recorder;

/* A thread that calls MPI. */
struct ork_thread {
    struct ork_thread_state *line; /* NULL before the first recorded call */
    uint16_t index;
    uint8_t state;    /* enum ork_state, as last stored in the line */
    uint32_t asked;   /* the leaf's questions that were answered, see early.h */
    uint64_t left_ns; /* thread's processor time at the end of the latest poll, if measured; or 0 */
    int64_t left_sleeps; /* and how often it had fallen asleep by then */
};
extern _Thread_local struct ork_thread ork_thread __attribute__((tls_model("initial-exec")));

/* Take over a ring that a leaf has accepted, with the socket to it. Recording starts with
 * ork_recorder_start(). */
void ork_recorder_adopt(struct ork_ring *ring, int socket);
void ork_recorder_start(bool multiple);

/* Nothing more is recorded for the rest of the process's life. */
void ork_recorder_stop(void);

/* Give the calling thread its index and line. */
void ork_thread_start(void);

/* The ring is full: publish, and wait until there is room. False: the leaf is gone and recording
 * has stopped. */
bool ork_ring_wait(void);

/* Around every use of the ring and of the tables of handles. */
static inline void ork_lock(void)
{
    if (ORK_UNLIKELY(ork_recorder.multiple))
        pthread_mutex_lock(&ork_recorder.lock);
}

static inline void ork_unlock(void)
{
    if (ORK_UNLIKELY(ork_recorder.multiple))
        pthread_mutex_unlock(&ork_recorder.lock);
}

/* Let the leaf see all that was put. */
static inline void ork_publish(void)
{
    atomic_store_explicit(&ork_recorder.ring->head, ork_recorder.head, memory_order_release);
}

/* The next free slot, or NULL when recording has stopped. */
static inline struct ork_record *ork_slot(void)
{
    struct ork_recorder *r = &ork_recorder;

    if (ORK_UNLIKELY(r->head - r->tail >= ORK_RING_RECORDS) && !ork_ring_wait())
        return NULL;
    return &r->ring->slot[r->head++ & (ORK_RING_RECORDS - 1u)];
}

/* Write one record; it is not yet published. RATIONALE: field by field, for then the caller's
 * record never exists in memory; a copy would load what was just stored in smaller pieces, and wait
 * for it. */
static inline __attribute__((always_inline)) void ork_put(const struct ork_record *record)
{
    struct ork_record *slot = ork_slot();

    if (ORK_UNLIKELY(slot == NULL))
        return;
#define ORK_FIELD(type, name) slot->name = record->name;
#include "record/fields.def"
#undef ORK_FIELD
}

/* The list behind a record, word by word, straight into the ring. The record's count must be the
 * number of words. */
struct ork_list {
    struct ork_cont *cont; /* the slot in work, or the sink once recording has stopped */
    unsigned words;        /* in it */
    struct ork_cont sink;
};

static inline void ork_list_begin(struct ork_list *list, const struct ork_record *record)
{
    list->words = 0;
    ork_put(record);
}

/* Fill up the last slot. */
static inline void ork_list_end(struct ork_list *list)
{
    if (list->words == 0)
        return;
    list->cont->words = (uint8_t)list->words;
    for (unsigned i = list->words; i < ORK_CONT_WORDS; i++)
        list->cont->word[i] = 0;
    list->words = 0;
}

static inline void ork_list_add(struct ork_list *list, uint32_t word)
{
    if (list->words == 0) {
        struct ork_record *slot = ork_slot();
        list->cont = slot != NULL ? (struct ork_cont *)(void *)slot : &list->sink;
        list->cont->kind = ORK_KIND_CONT;
        list->cont->pad = 0;
    }
    list->cont->word[list->words++] = word;
    if (list->words == ORK_CONT_WORDS)
        ork_list_end(list);
}

/* Write a record whose list is `length` bytes of text, packed four to a word. Sets count and bytes.
 */
void ork_put_text(struct ork_record *record, const char *text, size_t length);

/* What the calling thread does from now on. Called with the lock held, after publishing. */
static inline void ork_set_state(enum ork_state state)
{
    ork_thread.state = (uint8_t)state;
    atomic_store_explicit(&ork_thread.line->word, ork_recorder.head << 8 | (uint64_t)state,
                          memory_order_release);
}

/* ---- calls that look and do not wait ---- */

/* What a thread does between two polls is measured once in so many of them. Before and after
 * together cost some 2 us. */
#define ORK_POLL_LOOK 512u
/* To fall asleep and wake up again takes a thread no more processor time than this. */
#define ORK_POLL_SLEEP_NS UINT64_C(50000)

void ork_poll_look(void);
void ork_poll_looked(void);

static inline void ork_poll_begin(void)
{
    if (ORK_UNLIKELY(ork_thread.left_ns != 0))
        ork_poll_looked();
}

/* A Test or probe of the calling thread found nothing. */
static inline void ork_poll(uint32_t site, uint32_t id)
{
    struct ork_thread_state *line = ork_thread.line;
    uint64_t polls = atomic_load_explicit(&line->polls, memory_order_relaxed);

    atomic_store_explicit(&line->poll_site, site, memory_order_relaxed);
    atomic_store_explicit(&line->poll_call, id, memory_order_relaxed);
    atomic_store_explicit(&line->polls, polls + 1, memory_order_relaxed);
    if (ORK_UNLIKELY(polls % ORK_POLL_LOOK == 0))
        ork_poll_look();
}

static inline void ork_poll_was_probe(void)
{
    struct ork_thread_state *line = ork_thread.line;
    uint64_t probes = atomic_load_explicit(&line->probes, memory_order_relaxed);

    atomic_store_explicit(&line->probes, probes + 1, memory_order_relaxed);
}

#endif
