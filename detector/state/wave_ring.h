/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves: the collective calls on a communicator, in order. */
#ifndef ORK_DETECTOR_WAVE_RING_H
#define ORK_DETECTOR_WAVE_RING_H

#include "detector/state/comm.h"
#include "detector/state/in_step.h"
#include "detector/state/pool.h"

struct leader_pair;
struct request;

/* A call at a wave that returned an error after it had communicated: its member does not wait. */
struct failed_call {
    struct failed_call *next;
    struct ork_record rec;
    uint32_t rank, member;
    uint32_t list[]; /* rec.count words */
};

struct wave {
    struct comm *comm;
    uint32_t index;
    uint32_t arrived;
    uint32_t unsure;         /* arrivals whose calls may still fail */
    struct ork_record first; /* with which others are compared: that of the first arrival, */
    uint32_t first_rank;
    bool has_first; /* or of a later one, if that call failed; false: of none yet */
    struct mpi_thread *waiters;
    struct request *requests;
    struct failed_call *failed;
    struct leader_pair
        *leader_pair; /* MPI_Intercomm_create: set once the leader of this side has entered */
    uint32_t leader;  /* process: leader of this side */
    struct wave_sides sides;
    bool is_uneven; /* some calls name different amounts of data */
    bool complete;  /* its owners were notified, but an earlier wave is not complete */
    uint32_t issue; /* number of its mismatch + 1 */
    uint32_t hub;   /* in search number `hub_search` */
    uint64_t hub_search;
};

/* The two leaders of one MPI_Intercomm_create. */
struct leader_pair {
    struct leader_pair *next;
    uint32_t peer_comm;
    int32_t tag;
    uint32_t leader[2];
    struct wave *wave[2];
    bool entered[2];
    unsigned left; /* sides whose wave has been freed */
};

struct collectives {
    struct pool waves, leader_pairs;
    struct leader_pair *leader_pair; /* oldest first */
};

/* Wave number `index` of `c`, to come or in progress. NULL: out of memory. */
struct wave *ork_wave_at(struct ork_detector *d, struct comm *c, uint32_t index);
/* NULL: none is in progress. */
struct wave *ork_wave_oldest(const struct comm *c);
void ork_wave_drop_oldest(struct comm *c);
void ork_wave_forget_failed(struct wave *w);
/* The waves themselves are in their pool. */
void ork_wave_ring_release(struct comm *c);
bool ork_wave_has_arrived(const struct wave *w, uint32_t member);
/* Number of arrivals that a wave needs: in MPI_COMM_SELF each process is alone. */
static inline uint32_t ork_wave_size(const struct wave *w)
{
    return w->comm->self ? 1 : w->comm->size;
}
/* Have both leaders of an MPI_Intercomm_create entered? */
static inline bool ork_wave_is_joined(const struct wave *w)
{
    return w->leader_pair != NULL && w->leader_pair->entered[0] && w->leader_pair->entered[1];
}

#endif
