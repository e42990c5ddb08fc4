/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared memory of one rank and its leaf: a single-producer single-consumer ring of records and
 * the rank's state. The rank makes it (memfd, sealed against resizing) and sends it to the leaf of
 * its node over an abstract unix socket. The leaf treats every word in it as untrusted: it copies a
 * record before it reads it. */
#ifndef ORK_RING_H
#define ORK_RING_H

#include "common/session.h"
#include "record/decision.h"
#include "record/note.h"
#include "record/record.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ORK_RING_MAGIC   UINT64_C(0x4f524b4e4f543038) /* "ORKNOT08" */
#define ORK_RING_RECORDS 16384u                       /* slots; a power of two */
#define ORK_RING_FIRST   1u /* records before the leaf has the ring: that of the job */
#define ORK_RING_THREADS                                                                           \
    64u /* threads of one rank with their own state; the others share the last one */

/* Repetitions. A rank whose next records are those of its latest slots, the block, again and again,
 * does not write them: it only publishes their number. `head` and `tail` of the ring count records,
 * not slots. When another record follows, the rank first writes how many records were repeated. */
/* RATIONALE: the slots of a block stay as they are until the leaf has read the repetition, so the
 * rank uses as many slots less. */
#define ORK_REPEAT_BLOCK_MAX 2048u
#define ORK_RING_AHEAD_MAX   (ORK_RING_RECORDS - ORK_REPEAT_BLOCK_MAX)
/* Repeated records that the leaf may still have to take; then the rank waits, before the next one
 * that is no part of a list. */
#define ORK_REPEAT_AHEAD_MAX (1u << 17)
/* While the root only counts them. RATIONALE: as many as a fast loop makes while the leaf sleeps.
 */
#define ORK_REPEAT_AHEAD_FOLDED (1u << 20)

/* The kind of a slot that stands for a repetition: arg: records of the block, which is in the slots
 * before it; extra: repeated records, a multiple of the block or not. RATIONALE: no enum ork_kind,
 * because it never leaves the leaf. */
#define ORK_RING_REPETITION 0xfeu

enum ork_state {
    ORK_STATE_RUNNING, /* outside MPI, or in a call that cannot block */
    ORK_STATE_BLOCKED, /* inside a call that can block */
    ORK_STATE_DONE,    /* MPI_Finalize returned */
};

/* An unsuccessful poll. */
struct ork_polled {
    uint32_t site; /* its call site */
    uint32_t call; /* and function, enum ork_call_id */
    int32_t peer;  /* of a probe, as in a record; ORK_NO_PEER: no probe, or unknown */
    int32_t tag;
    uint32_t comm;
};

/* The same in the ring. */
struct ork_poll_slot {
    _Atomic uint32_t site, call;
    _Atomic int32_t peer, tag;
    _Atomic uint32_t comm;
};

/* Two cache lines for each thread; unsuccessful polls only use the second. `word` = (records
 * published when it was stored) << 8 | enum ork_state; stored with release order after the record
 * of the call was published, and again when a call that can block has returned. */
struct ork_thread_state {
    _Alignas(64) _Atomic uint64_t word;
    _Atomic uint32_t tid;     /* kernel thread id */
    _Atomic uint32_t looks;   /* number of measurements of what the thread does between two polls */
    _Atomic uint32_t busy;    /* those in which it did more than loop or sleep */
    _Atomic uint32_t timed;   /* those in which it read a clock */
    _Atomic uint64_t work_ns; /* known processor time that it used besides its polls */
    _Atomic uint32_t wrong;   /* its calls that have not returned, and that it knows to be wrong */
    _Alignas(64) _Atomic uint64_t polls; /* unsuccessful Test and Iprobe calls */
    _Atomic uint64_t probes;             /* those that were Iprobe or Improbe */
    /* Start of the latest consecutive polls, modulo 2^32 each: (head then) << 32 | (polls then). */
    _Atomic uint64_t poll_since;
    struct ork_poll_slot polled[2]; /* poll number n, from 0, is in polled[n % 2] */
};
_Static_assert(sizeof(struct ork_thread_state) == 128, "a poll touches one cache line");

/* The end of the rank's order stream, which no ORDER record holds yet. RATIONALE: it survives the
 * rank. One word says what is there, and the rank publishes a record before it changes that word,
 * so a byte may be in both, but none is missing. */
#define ORK_ORDER_PAGE 14336u
struct ork_order_page {
    _Atomic uint64_t state; /* see struct ork_order_tail */
    uint8_t byte[ORK_ORDER_PAGE];
};
struct ork_order_tail {
    uint64_t offset;  /* of byte[0] in the stream; 38 bits */
    uint32_t used;    /* bytes in the page */
    uint32_t pending; /* choices behind them that were as predicted: ork_order_encode_run() */
};
#define ORK_ORDER_PENDING_MAX 4095u

static inline uint64_t ork_order_tail_pack(struct ork_order_tail t)
{
    return t.offset << 26 | (uint64_t)t.used << 12 | t.pending;
}

static inline struct ork_order_tail ork_order_tail_unpack(uint64_t state)
{
    return (struct ork_order_tail){
        .offset = state >> 26, .used = state >> 12 & 16383u, .pending = state & 4095u};
}

/* Decisions of a deterministic run: the leaf appends, the rank takes. */
#define ORK_DECISIONS 256u /* a power of two */
struct ork_decision_page {
    _Alignas(64) _Atomic uint32_t head; /* decisions given so far; a futex of the rank */
    _Atomic uint32_t is_watched;        /* 1: a decision may depend on the next event of the rank,
                                           which rings the bell then (struct ork_hello) */
    _Alignas(64) _Atomic uint32_t tail; /* decisions taken */
    _Atomic uint32_t wait;  /* odd: the rank waits, and looks for decisions and messages; changes
                               with each wait */
    _Atomic uint64_t looks; /* how often it has looked */
    struct ork_decision slot[ORK_DECISIONS];
};

/* Kernel threads that MPI_Init has made: the library's own. */
#define ORK_RING_STARTED 62u

/* Are the ranks of a replay held (--must:stop-at)? */
enum ork_hold {
    ORK_HOLD_NONE, /* not yet */
    ORK_HOLD_ON,
    ORK_HOLD_OVER, /* and they will not be held again */
};

struct ork_ring {
    uint64_t magic;
    uint32_t records; /* ORK_RING_RECORDS */
    uint32_t pid;
    _Alignas(64) _Atomic uint64_t head; /* records published */
    /* The repetition that goes on: see ork_repetition_pack(); 0: none. Set before `head` is greater
     * than that number; 0 again, or another one, after the slot that stands for it was written. */
    _Atomic uint64_t repetition;
    _Atomic uint64_t block_end; /* the slot after its block; set before `repetition` */
    _Atomic uint64_t skipped;   /* if none goes on: records minus slots, of those published; set
                                   before `repetition` becomes 0 */
    _Alignas(64) _Atomic uint64_t tail;       /* records taken by the leaf */
    _Atomic uint64_t tail_slot;               /* and slots: the next one that it reads */
    _Atomic uint32_t beat;                    /* changes while the leaf works */
    _Alignas(64) _Atomic uint64_t full_waits; /* how often the producer found the ring full */
    _Atomic uint64_t full_ns;                 /* and its total waiting time */
    _Atomic uint32_t is_cut;  /* 1: the leaf had stopped, and what follows the records published
                                 until now was not recorded */
    _Atomic uint32_t threads; /* threads that have called MPI */
    _Atomic uint32_t begun;   /* 1: MPI_Init was called */
    struct ork_thread_state thread[ORK_RING_THREADS];
    _Alignas(64) _Atomic uint32_t any_thread; /* 1: other threads than the first may call MPI
                                                 (MPI_THREAD_SERIALIZED or more) */
    _Atomic uint32_t num_started;
    uint32_t started[ORK_RING_STARTED];
    _Alignas(64) _Atomic uint32_t asked; /* number of the leaf's requests for early sources */
    _Atomic uint32_t released;           /* number of times that no rank of a replay could go on */
    _Atomic uint32_t expired;            /* the same of polls that wait in an exploration */
    _Atomic uint32_t hold;               /* enum ork_hold, set by the leaf */
    _Atomic uint32_t is_folded;          /* the root counts iterations, set by the leaf */
    _Atomic uint32_t stop_thread;        /* of this rank, and number of the choice at which the */
    _Atomic uint64_t stop_choice;        /* run stops; 0: none. Set before the ring is accepted */
    _Atomic uint64_t own_signals; /* bit i: the handler of signal i + 1 is the interceptor's own,
                                     which lets the process end */
    struct ork_note note;         /* how the process ended, written by itself */
    _Alignas(64) struct ork_order_page order;
    struct ork_decision_page decisions;
    _Alignas(4096) struct ork_record slot[ORK_RING_RECORDS];
};

/* The calling thread, which owns the line, has polled without success. RATIONALE: a poll is counted
 * once its slot is complete (release). The next poll goes to the other slot; the one after that
 * overwrites this slot, when `polls` has already grown, and a reader that sees a word of it also
 * sees that (the fence). So a reader to whom `polls` is the same afterwards has the complete latest
 * poll, also while the thread is stopped in the middle of the next one. */
static inline __attribute__((always_inline)) void ork_polled_write(struct ork_thread_state *line,
                                                                   const struct ork_polled *p)
{
    uint64_t polls = atomic_load_explicit(&line->polls, memory_order_relaxed);
    struct ork_poll_slot *slot = &line->polled[polls % 2];

    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&slot->site, p->site, memory_order_relaxed);
    atomic_store_explicit(&slot->call, p->call, memory_order_relaxed);
    atomic_store_explicit(&slot->peer, p->peer, memory_order_relaxed);
    atomic_store_explicit(&slot->tag, p->tag, memory_order_relaxed);
    atomic_store_explicit(&slot->comm, p->comm, memory_order_relaxed);
    atomic_store_explicit(&line->polls, polls + 1, memory_order_release);
}

/* The latest unsuccessful poll of a thread. It is a poll of this thread, unless it polls too fast
 * to be read or shares its line with others: then only a call and a place are returned. */
static inline struct ork_polled ork_polled_read(const struct ork_ring *ring, uint32_t thread)
{
    enum { TRIES = 1000 };
    const struct ork_thread_state *line = &ring->thread[thread];
    bool is_shared = thread == ORK_RING_THREADS - 1 && atomic_load(&ring->threads) > thread + 1;
    struct ork_polled p = {.peer = ORK_NO_PEER};

    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t polls = atomic_load_explicit(&line->polls, memory_order_acquire);
        const struct ork_poll_slot *slot = &line->polled[(polls + 1) % 2];
        p.site = atomic_load_explicit(&slot->site, memory_order_relaxed);
        p.call = atomic_load_explicit(&slot->call, memory_order_relaxed);
        p.peer = atomic_load_explicit(&slot->peer, memory_order_relaxed);
        p.tag = atomic_load_explicit(&slot->tag, memory_order_relaxed);
        p.comm = atomic_load_explicit(&slot->comm, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&line->polls, memory_order_relaxed) == polls && !is_shared)
            return p;
    }
    p.peer = ORK_NO_PEER;
    return p;
}

/* Like the record of a successful probe, or of a test. */
static inline struct ork_record ork_polled_record(const struct ork_polled *p)
{
    bool is_probe = p->peer != ORK_NO_PEER;

    return (struct ork_record){.kind = is_probe ? ORK_KIND_PROBED : ORK_KIND_TESTED,
                               .call = (uint16_t)p->call,
                               .site = p->site,
                               .comm = is_probe ? p->comm : ORK_COMM_UNKNOWN,
                               .request = ORK_REQUEST_NULL,
                               .peer = p->peer,
                               .tag = p->tag};
}

/* The number of its first record, and how many records its block has. */
static inline uint64_t ork_repetition_pack(uint64_t first, uint32_t block)
{
    return first << 12 | block;
}

static inline uint64_t ork_repetition_first(uint64_t repetition)
{
    return repetition >> 12;
}

static inline uint32_t ork_repetition_block(uint64_t repetition)
{
    return (uint32_t)(repetition & 4095u);
}
_Static_assert(ORK_REPEAT_BLOCK_MAX <= 4095u, "a block has 12 bits");

/* First message on the socket, rank to leaf, with the memfd as SCM_RIGHTS. The leaf checks
 * SO_PEERCRED's uid and the token, maps the ring and answers one byte: 1 accepted, 0 rejected (the
 * socket is then closed). With the 1 come files as SCM_RIGHTS; other bits of the answer say which,
 * in this order. Nothing is sent afterwards; a hang-up shows either side that the other has
 * died. */
enum {
    ORK_ANSWER_ACCEPTED = 1,
    ORK_ANSWER_SECTIONS = 2, /* a sealed memfd: see record/sections.h */
    ORK_ANSWER_ORDER = 4,    /* a sealed memfd: the choices to be replayed (order/file/order.h) */
    ORK_ANSWER_BELL = 8,     /* in a deterministic run: an event file that wakes the leaf */
    ORK_ANSWER_FILES = 3,    /* at most */
};
/* RATIONALE: PMIx's names of jobs have up to 255 characters, and MPICH's up to 255, too. They
 * differ at the end, behind the name of the host. */
enum { ORK_JOB_NAME_SIZE = 256 };

struct ork_hello {
    uint64_t magic;
    char token[ORK_TOKEN_SIZE];  /* ORKNOT_TOKEN of the run, 32 hexadecimal digits */
    char job[ORK_JOB_NAME_SIZE]; /* name of the application job, NUL-terminated; "": unknown */
    uint32_t rank;               /* in MPI_COMM_WORLD, by the launcher's environment */
    uint32_t size;               /* of MPI_COMM_WORLD, likewise; 0: unknown */
    uint32_t pid;
};

/* What Open MPI 5 makes of the part of a job's name that all jobs of a launcher share: 16 bits. */
static inline uint32_t ork_job_family(const char *name, const char *end)
{
    uint32_t hash = 0;

    while (name < end) {
        hash += (unsigned char)*name++;
        hash += hash << 10;
        hash ^= hash >> 6;
    }
    hash += hash << 3;
    hash ^= hash >> 11;
    hash += hash << 15;
    return (hash >> 16 ^ hash) & 0xffff;
}

/* The number of a job in records, which the MPI library has in its names of processes: the job's
 * name, if the launcher names jobs by numbers; of "NAME-OF-LAUNCHER@NUMBER", a number as Open MPI 5
 * makes it; else 0. */
static inline uint32_t ork_job_number(const char *job)
{
    const char *at = strrchr(job, '@');
    const char *digits = at != NULL ? at + 1 : job;
    char *end;
    unsigned long number = strtoul(digits, &end, 10);

    if (end == digits || *end != '\0' || number >= (at != NULL ? 1u << 15 : UINT32_MAX))
        return 0;
    return at != NULL ? ork_job_family(job, at) << 16 | (uint32_t)number : (uint32_t)number;
}

#endif
