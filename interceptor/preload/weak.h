/* SPDX-License-Identifier: BSD-3-Clause */
/* Weak references to functions that the MPI library of this process lacks: `if (MPIX_X) MPIX_X()`.
 * The dynamic linker has led them to the entries; without the tool they are NULL. */
#ifndef ORK_WEAK_H
#define ORK_WEAK_H

/* Make them NULL in all files that are loaded. Call it when the library is known. */
void ork_weak_repair(void);

#endif
