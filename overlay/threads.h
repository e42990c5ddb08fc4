/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank that the records do not know of: they have not called MPI yet, but may. */
#ifndef ORK_THREADS_H
#define ORK_THREADS_H

#include "record/ring.h"

/* How many there are that run, sleep for a time or wait for input. A thread that waits for another
 * one (futex without a time limit) does not count: it cannot act before the other does. 0 where
 * only the first thread may call MPI (MPI-3.1 section 12.4). */
uint32_t ork_threads_strange(uint32_t pid, const struct ork_ring *ring);

/* Which of the threads that have called MPI are outside it and wait for another one: bit i for
 * thread i. None, if a thread that was there before MPI_Init does anything but wait for input: it
 * may be the one they wait for. */
uint64_t ork_threads_asleep(uint32_t pid, const struct ork_ring *ring);

#endif
