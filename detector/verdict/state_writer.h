/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of ork_detector_state(): state_key.c, and state_ops.c for operations and messages. */
#ifndef ORK_DETECTOR_STATE_WRITER_H
#define ORK_DETECTOR_STATE_WRITER_H

#include "detector/check/outcome.h"

struct writer {
    struct ork_detector *d;
    struct ork_detector_state *s;
    struct ork_words_writer words; /* failed: incomparable, too long, or out of memory */
    const struct op **op;
    uint32_t ops, op_cap;
    uint64_t waves, locks;
};

/* ---- words ---- */

static inline void put(struct writer *w, uint32_t word)
{
    ork_words_put(&w->words, word);
}

static inline void put_long(struct writer *w, uint64_t value)
{
    ork_words_put_long(&w->words, value);
}

/* The position of an event. */
static inline void put_clock(struct writer *w, uint64_t when)
{
    ork_words_put_ordered(&w->words, 0, when);
}

/* Up to which event a process may know of others. RATIONALE: it is only compared with the positions
 * of operations and locks, and copied; with those of other processes it is never compared. */
static inline void put_knowledge(struct writer *w, uint64_t when)
{
    ork_words_put_place(&w->words, 0, when);
}

/* Of the events of one rank, or of two: AXIS_RECEIVES + rank: its receives. */
enum { AXIS_ALL, AXIS_RECEIVES, AXIS_CHANNELS = 1 << 30, CHANNELS = 1 << 15 };

/* The messages from one rank to another. RATIONALE: if two of them had one axis, the states that
 * are equal would be fewer. */
static inline uint32_t channel_axis(uint32_t src, uint32_t dst)
{
    return AXIS_CHANNELS + (dst % CHANNELS) * CHANNELS + src % CHANNELS;
}

static inline void put_record(struct writer *w, const struct ork_record *rec)
{
    ork_words_put_all(&w->words, rec, sizeof(*rec) / sizeof(uint32_t));
}

static inline void put_list(struct writer *w, const uint32_t *list, uint32_t count)
{
    put(w, count);
    ork_words_put_all(&w->words, list, count);
}

/* All operations, and the messages that matched probes took. */
void ork_state_put_ops(struct writer *w);

#endif
