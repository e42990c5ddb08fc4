/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation under control: for programs linked with --wrap=malloc,calloc,realloc,free. */
#ifndef ORK_TEST_DETECTOR_MEMORY_H
#define ORK_TEST_DETECTOR_MEMORY_H

/* From here on `succeed` allocations succeed and all later ones fail; what is live is counted. */
void memory_arm(long succeed);
void memory_disarm(void);
/* Since memory_arm(): failed allocations; allocations and bytes that were not freed. */
long memory_failures(void);
long memory_live(void);
long memory_bytes(void);

#endif
