/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves: arrivals, and calls that wait for other members. */
#ifndef ORK_DETECTOR_WAVE_H
#define ORK_DETECTOR_WAVE_H

#include "detector/state/state.h"

/* Arrive at the next wave of `c`. The caller continues with ork_wave_wait() or a request, then with
 * ork_wave_try_complete(), which may free the wave. NULL: out of memory. */
struct wave *ork_wave_arrive(struct mpi_thread *th, struct comm *c, uint32_t me,
                             const struct ork_record *rec);
/* The call by which `th` arrived could have failed, but did not: complete what is complete now. */
void ork_wave_confirm(struct mpi_thread *th);
/* The call failed: `th` has not arrived. */
void ork_wave_retract(struct mpi_thread *th);
void ork_wave_wait(struct wave *w, struct mpi_thread *th);
void ork_wave_wait_request(struct wave *w, struct request *r);
/* The run completed a request of `p` before the wave was complete: the completion is unconfirmed
 * until the wave is complete. */
void ork_wave_leave_unconfirmed(struct proc *p, struct wave *w);
bool ork_wave_is_complete(const struct wave *w);
/* MPI_Intercomm_create: the wave of the other group, once both leaders have entered; NULL: not yet,
 * or that wave is complete. */
struct wave *ork_wave_opposite(const struct wave *w);
void ork_wave_try_complete(struct ork_detector *d, struct wave *w);
/* `w` is complete: notify the calls and requests that wait for it. */
void ork_wave_notify(struct ork_detector *d, struct wave *w);
void ork_wave_wake(struct wave *w); /* let the threads that wait examine it again */
void ork_wave_unlink_waiter(struct mpi_thread *th);
void ork_wave_unlink_request(struct request *r);
/* `th` entered MPI_Intercomm_create with wave `w`. */
void ork_leader_pair_arrive(struct mpi_thread *th, struct wave *w, const struct comm_ref *ref,
                            const struct ork_record *rec);

/* dataflow.c */
/* What the call of member `me` must wait for in every MPI implementation, because it needs the data
 * (or, in a barrier, the presence) of these members. */
enum wave_needs { WAVE_NEEDS_NOTHING, WAVE_NEEDS_ALL, WAVE_NEEDS_ROOT, WAVE_NEEDS_LOWER };
enum wave_needs ork_wave_needs(const struct wave *w, uint32_t me, const struct ork_record *call);
/* Does the call by which `p` arrived still wait for such data? */
bool ork_wave_lacks_data(const struct proc *p, const struct wave *w, const struct ork_record *call);
/* The member number of `process`; false: not a member. */
bool ork_wave_member(const struct wave *w, uint32_t process, uint32_t *member);

/* finalize.c */
/* A process entered MPI_Finalize, or was severed: release the jobs that may leave. */
void ork_job_try_finalize(struct ork_detector *d);

#endif
