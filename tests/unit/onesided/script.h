/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of ranks that use one window on MPI_COMM_WORLD, as they come to the root. */
#ifndef ORK_TEST_ONESIDED_SCRIPT_H
#define ORK_TEST_ONESIDED_SCRIPT_H

#include "windows/onesided/onesided.h"
#include "record/reductions.h"

enum { RANKS = 3, WINDOW = 2, BYTES = 64, UNIT = 4, RACING_MAX = 8 };

struct script {
    struct ork_onesided *onesided;
    enum ork_status status; /* of the first call that failed */
};

/* Each rank makes the window, with memory at another address. */
struct script script_begin(void);
/* The same with a dynamic window, to which nothing is attached. */
struct script script_begin_dynamic(void);
/* Attach memory; 0 bytes: detach it. */
void script_attach(struct script *s, uint32_t rank, uint64_t address, uint64_t bytes);
/* All ranks free the window. */
void script_free(struct script *s);
void script_put(struct script *s, uint32_t rank, struct ork_record record);
void script_put_list(struct script *s, uint32_t rank, struct ork_record record, const void *list,
                     uint32_t words);
/* A fence, or a barrier, of all ranks. */
void script_fence(struct script *s);
void script_barrier(struct script *s);
/* `words` words of 4 bytes at this displacement, by call site `site`. */
void script_access(struct script *s, uint32_t rank, enum ork_access mode, int32_t target,
                   int64_t place, uint64_t words, uint32_t site);
/* An accumulate of this operation and basic type (as in the record). */
void script_update(struct script *s, uint32_t rank, enum ork_access mode, int32_t target,
                   int64_t place, uint64_t words, uint32_t site, enum ork_reduction op,
                   uint32_t type);
/* A call about the window with this target; ORK_NO_PEER: all. */
void script_lock(struct script *s, uint32_t rank, int32_t target, bool exclusive);
void script_unlock(struct script *s, uint32_t rank, int32_t target);
void script_flush(struct script *s, uint32_t rank, int32_t target);

struct found {
    uint32_t conflicts, outside;
    struct ork_conflict conflict;      /* the last one */
    struct ork_outside outside_access; /* the last one */
    uint32_t racing;
    struct ork_racing_call racing_call[RACING_MAX];
    const char *lost;
};
/* All ranks call MPI_Finalize and end. Frees the script. */
struct found script_end(struct script *s);

#endif
