/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting point-to-point operations. */
#ifndef ORK_DETECTOR_P2P_H
#define ORK_DETECTOR_P2P_H

#include "detector/state/state.h"

/* Assign a started operation (NULL: complete at once) to the request of `rec`, if it names one. */
struct request *ork_p2p_give_to_request(struct mpi_thread *th, const struct ork_record *rec,
                                        struct op *op);
/* `on` is the communicator that `rec` names, or that it named when its request was made; NULL or
 * without a comm: unknown. */
void ork_p2p_start_send(struct mpi_thread *th, const struct ork_record *rec,
                        const struct comm_ref *on);
void ork_p2p_start_recv(struct mpi_thread *th, const struct ork_record *rec,
                        const struct comm_ref *on);
/* A send that does not wait for its receive, as `rec` describes it, was not made after all. False:
 * its message is received already, or it is not known. */
bool ork_p2p_withdraw_buffered(struct mpi_thread *th, const struct ork_record *rec,
                               const struct comm_ref *on);
/* MPI_Start will start what `rec` describes. NULL: the request has no number. */
struct request *ork_p2p_make_persistent(struct mpi_thread *th, const struct ork_record *rec);

#endif
