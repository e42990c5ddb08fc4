/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls. */
#ifndef ORK_DETECTOR_COLLECTIVE_H
#define ORK_DETECTOR_COLLECTIVE_H

#include "detector/program/program.h"

/* Does a COLL record on `c` count in the communicator's order of collective calls? */
bool ork_collective_arrives(const struct comm *c, const struct ork_record *rec);
/* MPI_Start of a persistent collective. */
void ork_collective_start(struct mpi_thread *th, struct request *r, const struct ork_record *rec);

/* As in struct call_type, for MPI_Finalize, which is also collective. */
bool ork_collective_relax(struct mpi_thread *th);
bool ork_collective_wait_condition(struct wait_graph_builder *b, struct mpi_thread *th);
bool ork_collective_to_steps(struct reader *r, struct comm_ref ref);

#endif
