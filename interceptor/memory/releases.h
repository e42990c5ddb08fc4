/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the program gives back: with free(), realloc() or munmap() (hooks/release.c), or with
 * MPI_Free_mem. It is noted here, and the next call of MPI compares it with what MPI still uses.
 * RATIONALE: these functions are called from anywhere, also while an allocator has its locks. To
 * note one needs no lock, no other memory, and no function but those of the processor. */
#ifndef ORK_RELEASES_H
#define ORK_RELEASES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Why is it of interest: bits; 0: it is not. Changed with the recorder's lock held. */
enum { ORK_RELEASES_OF_BUFFERS = 1, ORK_RELEASES_OF_WINDOWS = 2 };
extern _Atomic uint32_t ork_releases_matter;

enum { ORK_RELEASE_FRAMES = 8 };

struct ork_release {
    uint64_t low, high; /* the bytes low .. high - 1 */
    const char *how;    /* "free"; static storage */
    uint32_t site;      /* of the call; 0: see the frames */
    uint32_t num_frames;
    void *frame[ORK_RELEASE_FRAMES]; /* return addresses, from the innermost one on */
};

/* Note it. False: too many are noted already. Safe in a signal handler and in all threads. */
bool ork_release_put(const struct ork_release *release);
/* The oldest one, as it stays until ork_release_drop(). NULL: there is none now. One thread at a
 * time. */
const struct ork_release *ork_release_first(void);
void ork_release_drop(void);

static inline void ork_releases_set(uint32_t why, bool is_on)
{
    uint32_t now = atomic_load_explicit(&ork_releases_matter, memory_order_relaxed);

    atomic_store_explicit(&ork_releases_matter, is_on ? now | why : now & ~why,
                          memory_order_relaxed);
}

#endif
