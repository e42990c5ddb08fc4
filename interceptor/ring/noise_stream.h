/* SPDX-License-Identifier: BSD-3-Clause */
/* The delays of --must:noise for one thread, drawn from a seed. Pure.
 *
 * A thread is slow for a while, then fast for a while, and so on: in a quarter of its phases (4 to
 * 511 calls) one call in 4 is delayed, in the others one in 64. Of the delays a fifth is longer
 * than half of the maximum, the next fifth longer than a quarter of it, and so on. RATIONALE: many
 * short delays of all ranks cancel each other, and the network decides as before. A rank that stays
 * behind for several messages reaches orders in which more than one event is late; random
 * priorities that seldom change have this property (Burckhardt et al. 2010, "A randomized scheduler
 * with probabilistic guarantees of finding bugs"). NINJA (Sato et al. 2017) delays the messages of
 * one channel from a thread of its own, which calls MPI beside those of the application. This is
 * not done here: not every library allows it. So a late message also delays what its rank does
 * next. */
#ifndef ORK_NOISE_STREAM_H
#define ORK_NOISE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct ork_noise_stream {
    uint64_t state;      /* of splitmix64 */
    uint32_t phase_left; /* calls */
    bool is_slow;        /* this phase */
};

/* Read "SEED:MICROSECONDS", the value of ORK_ENV_NOISE. */
bool ork_noise_read(const char *text, uint64_t *seed, uint64_t *max_ns);

/* The same for the same three numbers, and unrelated to all others. */
struct ork_noise_stream ork_noise_stream_of(uint64_t seed, uint32_t rank, uint32_t thread);

/* Delay of the next call in nanoseconds, 0 to max_ns. */
uint64_t ork_noise_draw(struct ork_noise_stream *stream, uint64_t max_ns);

/* May a poll be delayed that comes after so many unsuccessful ones in a row? RATIONALE: only the
 * first, second, fourth, eighth and so on. To delay all would slow a loop down without effect on
 * what it finds, and the loop could no longer be recognised as one that only polls. */
static inline bool ork_noise_is_chance(uint64_t polls)
{
    return (polls & (polls + 1)) == 0;
}

#endif
