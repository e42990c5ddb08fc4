/* SPDX-License-Identifier: BSD-3-Clause */
/* What the arguments of calls on a communicator or window may be: numbers of processes, the
 * topology, the largest tag. Each thread keeps those of the latest communicators, until one is made
 * or freed; the process keeps those of all that have a number, until they are freed. Invariant: a
 * number means one communicator for the whole run, and the bounds of a communicator never change.
 * So what is kept for a number is right as long as the number's handle is known (comms.h). */
#ifndef ORK_BOUNDS_H
#define ORK_BOUNDS_H

#include "interceptor/objects/comms.h"
#include "interceptor/objects/handles.h"
#include "interceptor/preload/thread_storage.h"

#include <mpi.h>

/* More dimensions are possible, but the neighbours are then unknown. */
enum { ORK_DIMS_MAX = 32 };

enum ork_topology {
    ORK_TOPOLOGY_NONE,
    ORK_TOPOLOGY_CARTESIAN,
    ORK_TOPOLOGY_GRAPH,
    ORK_TOPOLOGY_DISTRIBUTED,
    ORK_TOPOLOGY_ANY, /* in a question: one of these */
};

/* All numbers are 0 if the handle is not valid. */
struct ork_comm_bounds {
    MPI_Comm comm;
    uint32_t version; /* of ork_comms_version */
    bool is_valid;    /* a live handle that this run has made, or a predefined one */
    bool is_recorded; /* it has a number, so these bounds are never out of date */
    bool is_inter;
    uint8_t topology; /* enum ork_topology */
    int size;         /* of the group that ranks refer to: the remote one of an intercommunicator */
    int local_size;
    int rank;
    int num_dims; /* of a Cartesian topology */
    int sources;  /* neighbours in the topology */
    int destinations;
    uint64_t missing;   /* bit i: neighbour i of a Cartesian topology is MPI_PROC_NULL */
    bool has_neighbors; /* their NEIGHBORS record is written */
};

/* MPI_TAG_UB. */
extern int ork_tag_ub;

/* Call once, when MPI is initialised. */
void ork_bounds_init(void);

enum { ORK_BOUNDS_KEPT = 8, ORK_BOUNDS_BITS = 3 };
ORK_THREAD_LOCALS(struct ork_comm_bounds, ork_bounds_kept, ORK_BOUNDS_KEPT);

/* Ask the library. Without the recorder's lock. */
struct ork_comm_bounds *ork_bounds_find(MPI_Comm comm) __attribute__((cold, noinline));
/* What is kept for its number; else ask the library. Without the recorder's lock. */
struct ork_comm_bounds *ork_bounds_recall(MPI_Comm comm) __attribute__((noinline));

/* Valid until the thread's next question. RATIONALE: a handle that the library uses again for
 * another communicator can have the bounds of the old one, if neither is known to the recorder; so
 * whoever reports a value asks again with ork_bounds_find(). */
static inline const struct ork_comm_bounds *ork_bounds_of(MPI_Comm comm)
{
    const struct ork_comm_bounds *b =
        &ork_bounds_kept[ork_hash_short(ORK_KEY(comm)) >> (32 - ORK_BOUNDS_BITS)];

    if (__builtin_expect(b->comm == comm && b->is_valid &&
                             b->version ==
                                 atomic_load_explicit(&ork_comms_version, memory_order_relaxed),
                         1))
        return b;
    return ork_bounds_recall(comm);
}

/* Number of processes of a window; INT_MAX: not known. The first one may be out of date, like
 * bounds. */
int ork_win_size(MPI_Win win);
int ork_win_size_now(MPI_Win win);

#endif
