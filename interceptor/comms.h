/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank-local numbers of communicators, and groups as world ranks. Everything here is called with
 * the recorder's lock held. */
#ifndef ORK_COMMS_H
#define ORK_COMMS_H

#include "interceptor/map.h"
#include "interceptor/recorder.h"

#include <mpi.h>

enum { ORK_COMM_INTER = 1 }; /* flag of an entry */

/* Enter MPI_COMM_WORLD and MPI_COMM_SELF. Call once, when MPI is initialised. */
void ork_comms_init(void);

/* The entry of a live communicator that was made by a modelled call, or NULL. Moves with the next
 * change. */
const struct ork_entry *ork_comm_find(MPI_Comm comm);

/* The number, or ORK_COMM_UNKNOWN. */
uint32_t ork_comm_id(MPI_Comm comm);

/* Enter what a constructor returned and write its COMM_DEF record: `record` has all but kind, comm
 * and the group. `same_group`: the parent's. Nothing happens for MPI_COMM_NULL or a parent that is
 * unknown (no other rank could tell which one is meant). */
void ork_comm_define(MPI_Comm comm, struct ork_record *record, bool same_group);

/* Forget `comm` if it still has this number: the library may already use the handle for another
 * one. */
void ork_comm_forget(MPI_Comm comm, uint32_t id);

/* A group as runs (first, stride, count) of world ranks, appended to *words. A process that is not
 * in MPI_COMM_WORLD has rank UINT32_MAX. False: out of memory. The caller frees words->item. */
struct ork_words {
    uint32_t *item;
    uint32_t count;
    uint32_t room;
};
bool ork_group_runs(MPI_Group group, struct ork_words *words);

#endif
