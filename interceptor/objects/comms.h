/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank-local numbers of communicators, windows and files (one sequence), and groups as world ranks.
 * All functions are called with the recorder's lock held. */
#ifndef ORK_COMMS_H
#define ORK_COMMS_H

#include "interceptor/site/map.h"
#include "interceptor/ring/recorder.h"

#include <mpi.h>

/* Flags of an entry. */
enum {
    ORK_COMM_INTER = 1,
    ORK_COMM_HAS_NEIGHBORS = 2, /* its NEIGHBORS record is written */
};

/* Enter MPI_COMM_WORLD and MPI_COMM_SELF. Call once, when MPI is initialised. */
void ork_comms_init(void);

/* The entry of a live communicator from a modelled call, or NULL. It moves with the next change. */
const struct ork_entry *ork_comm_find(MPI_Comm comm);

/* The number, or ORK_COMM_UNKNOWN. */
uint32_t ork_comm_id(MPI_Comm comm);

/* Set the flag ORK_COMM_HAS_NEIGHBORS. False: it is set already, or the communicator is unknown. */
bool ork_comm_set_has_neighbors(MPI_Comm comm);

/* Changes whenever a communicator gets a number or is forgotten. */
extern _Atomic uint32_t ork_comms_version;

/* Enter a constructor's result and write its COMM_DEF record: `record` has all except kind, comm
 * and the group. `same_group`: the parent's. Does nothing for MPI_COMM_NULL or an unknown parent
 * (no other rank could identify it; but the results of spawn, accept, connect and join are
 * identified by their groups alone). */
void ork_comm_define(MPI_Comm comm, struct ork_record *record, bool same_group);

/* Forget `comm` if it still has this number: the library may have reused the handle already. */
void ork_comm_forget(MPI_Comm comm, uint32_t id);

/* Publish a record whose list is the group, as runs of world ranks: see COMM_DEF in
 * record/kinds.def. Sets count. */
void ork_put_group(struct ork_record *record, MPI_Group group);

/* The group of a communicator as such runs, `count` words, which the caller frees; NULL: out of
 * memory. */
uint32_t *ork_comm_runs(MPI_Comm comm, uint32_t *count);

/* Windows, by ORK_KEY(MPI_Win), and files, by ORK_KEY(MPI_File), that were made on a communicator
 * with a number. */
extern struct ork_map ork_windows;
extern struct ork_map ork_files;

/* The number of a window or file, or ORK_COMM_UNKNOWN. */
uint32_t ork_object_id(const struct ork_map *objects, uint64_t key);

/* Enter a new window or file and write its COMM_DEF record: `record` has all except kind, comm and
 * the group, which is the parent's. The entry's flags are ORK_REQUEST_NULL. Does nothing if the
 * parent is unknown. */
void ork_object_define(struct ork_map *objects, uint64_t key, struct ork_record *record);

/* As ork_comm_forget(). */
void ork_object_forget(struct ork_map *objects, uint64_t key, uint32_t id);

#endif
