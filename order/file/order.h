/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of a run: the outcomes of its choice points. A choice point is a call whose outcome the
 * order of messages decides (docs/explanation/order.md). The interceptor encodes the choices of its
 * rank into a stream of bytes; the tool writes the streams of all ranks to a file
 * (order/file/file.h). Pure: no MPI, no I/O. */
#ifndef ORK_ORDER_ORDER_H
#define ORK_ORDER_ORDER_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ork_choice_kind {
    /* A receive with a wildcard took the message of `source` and `tag`; ORK_CANCELLED
     * (record/record.h) as the source: it was cancelled. `post` names a nonblocking or persistent
     * receive; 0: the call itself received. */
    ORK_CHOICE_RECEIVE,
    /* A probe with or without wildcards found a message: source, tag. */
    ORK_CHOICE_PROBE,
    /* A Test call, MPI_Request_get_status or MPI_Win_test was successful. `index`: of the completed
     * requests in the array, in the order of the call's result, for Testany and Testsome. */
    ORK_CHOICE_TEST,
    /* MPI_Waitany and MPI_Waitsome: `index` as above. */
    ORK_CHOICE_WAIT,
    /* An operation without a wildcard for which MPI_Cancel was called is complete. `post`: its
     * ordinal among the nonblocking receives of its thread, modulo 2^24; 0: it is none of them.
     * source: 1 if it was cancelled, 0 if not. */
    ORK_CHOICE_CANCEL,
    /* A window lock was taken, or an ordered atomic was made, which is a section of its location
     * (docs/explanation/order.md). source: the target; ORK_NO_PEER: all of them. tag: how many
     * conflicting critical sections were counted before it, modulo 2^31; of all targets, their sum;
     * ORK_CHOICE_FAILED: the call failed, and was not counted. `post`: its ordinal among the locks
     * of its thread. */
    ORK_CHOICE_LOCK,
    /* That lock is released, and was granted after more sections than it seemed at first. */
    ORK_CHOICE_LATE_LOCK,
    /* The thread has made its last call; only `polls` counts. */
    ORK_CHOICE_END,
    /* These three are in no recording, only in orders that an exploration makes: OPEN in those that
     * it decides, the others also behind the last choices in those of its runs that are replayed.
     * AHEAD: the receive `post` of its thread takes the message of `source` and `tag`, whichever
     * call completes it; it is not one of the choices that the thread makes one after the other.
     * FREE: the thread makes a choice, after at least `polls` polls that fail, and its outcome is
     * left to the run. */
    ORK_CHOICE_AHEAD,
    ORK_CHOICE_FREE,
    /* Behind the last choice of a rank that an exploration decides: no choice, either. tag 1: what
     * is decided needs no choice of any rank that is free. */
    ORK_CHOICE_OPEN,
    ORK_CHOICE_MAX
};

/* `tag` of a LOCK. */
enum { ORK_CHOICE_FAILED = -1 };

/* Threads of a rank have numbers below ORK_CHOICE_THREADS; a choice has at most ORK_CHOICE_INDICES
 * indices. */
enum { ORK_CHOICE_THREADS = 1 << 16, ORK_CHOICE_INDICES = 1 << 24 };

/* One choice, and the unsuccessful polls before it. */
struct ork_choice {
    uint8_t kind;         /* enum ork_choice_kind */
    uint16_t call;        /* enum ork_call_id */
    uint32_t thread;      /* that made the call; 0: the first one of its rank that called MPI, .. */
    uint32_t site;        /* of the call, as in the records of the run; 0: unknown */
    uint32_t place;       /* the same independently of the run: see ork_choice_place() */
    uint64_t polls;       /* unsuccessful polls of the thread since its previous choice; of FREE
                           * also ORK_CHOICE_POLLS_ROW, .. */
    uint32_t post_thread; /* the thread that posted a receive, or took a lock */
    /* Ordinal of that call among those of the thread, from 1; 0: none. Of TEST and PROBE in an
     * order that an exploration makes: the call is equal to the poll of this ordinal since the
     * previous choice, from 1, and the first such one after at least `polls` unsuccessful ones; 0:
     * it comes after exactly so many. Of FREE: see ORK_CHOICE_POLLS_ROW. */
    uint64_t post;
    int32_t source; /* rank in the communicator, ORK_PROC_NULL, .. as in records */
    int32_t tag;
    uint32_t count;        /* of index[] */
    const uint32_t *index; /* the caller's when encoding, the decoder's when decoding */
    uint64_t number;       /* of this choice in its thread, from 1 (AHEAD: of the one before it);
                            * set by the decoder */
};

/* All polls that are equal to one of the first `post` ones, until the thread makes another one or
 * another choice. ROW: or another call. */
#define ORK_CHOICE_POLLS_ROW   UINT64_MAX
#define ORK_CHOICE_POLLS_EQUAL (UINT64_MAX - 1)

/* Is it decided for a poll that was unsuccessful before? It need not come: see `post`. */
static inline bool ork_choice_is_again(const struct ork_choice *choice)
{
    return choice->post != 0 &&
           (choice->kind == ORK_CHOICE_TEST || choice->kind == ORK_CHOICE_PROBE);
}

/* Ordinals count for themselves: those of receives, of what is cancelled, of locks. */
enum { ORK_ORDER_POSTS = 3 };
static inline bool ork_order_is_lock(uint8_t kind)
{
    return kind == ORK_CHOICE_LOCK || kind == ORK_CHOICE_LATE_LOCK;
}
static inline unsigned ork_order_series(uint8_t kind)
{
    return ork_order_is_lock(kind) ? 2 : kind == ORK_CHOICE_CANCEL;
}

/* A number for a place in the program: the same in every run of the same executables. For a call
 * from compiled code `name` is the file name of the module without its folder and `position` the
 * offset in it; for an interpreted language the source file and the line. Never 0. */
uint32_t ork_choice_place(const char *name, uint64_t position);

/* ---- a rank's stream ---- */

/* Size of the encoding of one choice, at most. */
#define ORK_CHOICE_ROOM(count) (64 + 5 * (size_t)(count))

/* Encoder and decoder predict the next choice from those before it, in the same way, so both begin
 * with the first byte of a stream. A choice that is as predicted is a part of a run length. */
struct ork_order_encoder;
/* NULL: out of memory. */
struct ork_order_encoder *ork_order_encoder_create(void);
void ork_order_encoder_destroy(struct ork_order_encoder *encoder);
/* Write the choice, or nothing if it is as predicted: returns the number of bytes, at most
 * ORK_CHOICE_ROOM(choice->count). */
size_t ork_order_encode(struct ork_order_encoder *encoder, const struct ork_choice *choice,
                        uint8_t *out);
/* The same, only if the choice is in a loop that the encoder knows: then it writes nothing. False:
 * nothing has changed. Cheaper than ork_order_encode(); does not read the place, which has to be
 * the same at each choice of a site. */
bool ork_order_encode_loop(struct ork_order_encoder *encoder, const struct ork_choice *choice);
/* Write what is pending (a run length): at most ORK_CHOICE_ROOM(0) bytes. Can be called at any
 * time, and again. */
size_t ork_order_encode_pending(struct ork_order_encoder *encoder, uint8_t *out);

/* How many choices are pending, and what ork_order_encode_pending() would write for so many.
 * RATIONALE: the tool completes the stream of a rank that was killed. */
uint32_t ork_order_num_pending(const struct ork_order_encoder *encoder);
size_t ork_order_encode_run(uint32_t choices, uint8_t *out);

struct ork_order_decoder;
struct ork_order_decoder *ork_order_decoder_create(void);
void ork_order_decoder_destroy(struct ork_order_decoder *decoder);
/* Add bytes of the stream. ORK_NOMEM. */
enum ork_status ork_order_decoder_feed(struct ork_order_decoder *decoder, const uint8_t *bytes,
                                       size_t size);
/* The next choice, valid until the next call. ORK_NOTFOUND: the bytes fed so far hold no further
 * complete choice. ORK_INVALID: they are no stream; so are all further ones. ORK_NOMEM. */
enum ork_status ork_order_decode(struct ork_order_decoder *decoder, struct ork_choice *choice);

/* Rounds of a loop in which one thread makes the same choices again. */
enum { ORK_ORDER_ROUND_MAX = 8, ORK_ORDER_ROUND_INDICES = 32 };
struct ork_order_rounds {
    uint32_t rounds;                               /* so many */
    uint32_t round;                                /* choices in each */
    struct ork_choice choice[ORK_ORDER_ROUND_MAX]; /* of the first one, without numbers */
    uint64_t step[ORK_ORDER_ROUND_MAX];            /* what is added to `post` in each round */
    uint32_t index[ORK_ORDER_ROUND_INDICES];       /* of all of them; a copy has not got its own */
};
/* Decode many choices at once. False: there are no rounds, use ork_order_decode(). */
bool ork_order_decode_rounds(struct ork_order_decoder *decoder, struct ork_order_rounds *to);

/* Choices of such a loop, none of which names a posted receive, each after its own polls. */
enum { ORK_ORDER_SERIES_MAX = 512 };
struct ork_order_series {
    uint32_t num;                                  /* so many; */
    uint32_t round;                                /* choices in a round; */
    struct ork_choice choice[ORK_ORDER_ROUND_MAX]; /* the next ones, without numbers and polls */
    uint32_t index[ORK_ORDER_ROUND_INDICES];
    uint64_t polls[ORK_ORDER_SERIES_MAX]; /* before each */
};
/* Decode many choices at once. False: there is no series. */
bool ork_order_decode_series(struct ork_order_decoder *decoder, struct ork_order_series *to);

/* ---- hash ---- */

/* A hash over all outcomes of a rank: kind, call, place, polls, post, source, tag and indices of
 * each choice, by thread. Equal orders have equal hashes. It does not depend on the order in which
 * the choices of different threads were added, nor on site numbers. Starts as zero. Of
 * ORK_CHOICE_END, only polls count; without them it changes nothing. */
struct ork_order_thread_hash {
    uint64_t value; /* 0: no choices */
    /* Of its latest choice: RATIONALE: a difference is the same in each round of a loop. */
    uint64_t post[ORK_ORDER_POSTS];
};
struct ork_order_hash {
    struct ork_order_thread_hash *thread;
    uint32_t num_threads;
    uint64_t choices; /* without ORK_CHOICE_END */
};
/* ORK_NOMEM, and ORK_INVALID for a number of a thread that is too large: nothing has changed. */
enum ork_status ork_order_hash_add(struct ork_order_hash *hash, const struct ork_choice *choice);
/* The same as to add all these choices one after the other. */
enum ork_status ork_order_hash_add_rounds(struct ork_order_hash *hash,
                                          const struct ork_order_rounds *rounds);
enum ork_status ork_order_hash_add_series(struct ork_order_hash *hash,
                                          const struct ork_order_series *series);
uint64_t ork_order_hash_value(const struct ork_order_hash *hash); /* 0: no choices */
void ork_order_hash_release(struct ork_order_hash *hash);

#endif
