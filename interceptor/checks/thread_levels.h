/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the threads that call MPI keep to the level of thread support, MPI-3.1 section 12.4.3? Looked
 * at only once a second thread calls MPI. */
#ifndef ORK_THREAD_LEVELS_H
#define ORK_THREAD_LEVELS_H

#include "interceptor/usage/usage.h"

/* The level that was provided. Call once, when MPI is initialised. */
void ork_level_init(int level);

/* Another thread than that of MPI_Init is about to make its first call. */
void ork_level_new_thread(void);

/* A thread begins a call, and several threads have made calls. Call without the recorder's lock. */
void ork_level_begin(const struct ork_call *call) __attribute__((cold));
/* Is the calling thread the only one that the process may have, and outside of MPI? */
bool ork_level_is_single(void);
/* The program has started another one, from code with this return address. That is told in
 * MPI_Finalize, unless a thread calls MPI, which is worse. */
void ork_level_note_thread(uintptr_t caller) __attribute__((cold));
/* MPI_Finalize is called. The lock is held. */
void ork_level_check_finalize(const struct ork_call *call);

#endif
