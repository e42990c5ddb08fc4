/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of one-sided calls of this rank (MPI-3.1 section 11.3): a put and an accumulate read
 * their buffer, and a get writes it, until the call is complete at the origin. They are compared
 * with loads and stores of the program, if these are known (watch.h), and with the buffers of other
 * calls. Of what is in the memory of a window, the tool processes compare the latter (accesses.h).
 * All functions are called with the recorder's lock held. */
#ifndef ORK_ORIGINS_H
#define ORK_ORIGINS_H

#include "interceptor/buffers/buffer.h"
#include "interceptor/buffers/pending_blocks.h"
#include "interceptor/site/site.h"
#include "interceptor/memory/watch.h"

#include <mpi.h>

enum { ORK_ORIGIN_ALL_TARGETS = -1 };

struct ork_origin {
    MPI_Win win;
    int target;
    uint32_t request; /* ORK_REQUEST_NULL: none */
    enum ork_rma_buffer rma;
    struct ork_buffer buffer;
};

/* How many are known. */
extern uint32_t ork_origins_known;

/* Compare the buffer of a call that is made next with those of pending operations. */
void ork_origins_compare(const struct ork_call *call, const struct ork_origin *origin);
/* The call has returned without an error. */
void ork_origins_add(const struct ork_call *call, const struct ork_origin *origin);
/* All calls on the window with this target, or the one with this request, are complete. */
void ork_origins_complete(MPI_Win win, int target);
void ork_origins_complete_request(uint32_t request);

/* As in buffers.h. */
void ork_origins_touch(uint32_t site, bool is_store, uint64_t address, uint64_t size);
void ork_origins_cut(struct ork_piece *piece, uint64_t address);

#endif
