/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads must not do at the same time although the level is MPI_THREAD_MULTIPLE, MPI-3.1
 * section 12.4.3. Looked at only once a second thread calls MPI. All functions are called with the
 * recorder's lock held. */
#ifndef ORK_CONCURRENCY_H
#define ORK_CONCURRENCY_H

#include "interceptor/requests/requests.h"
#include "interceptor/site/site.h"

#include <mpi.h>

/* Do several threads call MPI? */
extern _Atomic bool ork_concurrent;
void ork_concurrency_start(void);

static inline bool ork_is_concurrent(void)
{
    return ORK_UNLIKELY(atomic_load_explicit(&ork_concurrent, memory_order_relaxed));
}

/* A collective call on the communicator with this number begins; `stays`: it is blocking, so it is
 * active until ork_concurrency_leave_coll(). */
void ork_concurrency_enter_coll(const struct ork_call *call, uint32_t comm, bool stays);
void ork_concurrency_leave_coll(uint32_t comm);

/* A completing call of these requests begins; `stays`: until ork_concurrency_leave_wait(). */
void ork_concurrency_enter_wait(const struct ork_call *call, const struct ork_request *request,
                                int count, bool stays);
void ork_concurrency_leave_wait(const struct ork_request *request, int count);

/* MPI_Probe or MPI_Iprobe has found a message. */
void ork_concurrency_probed(uint32_t comm, int source, int tag);
/* The thread starts persistent requests: one of them may receive the message. */
void ork_concurrency_started(void);
/* A receive with these arguments begins. */
void ork_concurrency_receive(const struct ork_call *call, uint32_t comm, int source, int tag);

#endif
