/* SPDX-License-Identifier: BSD-3-Clause */
/* The counted critical sections of the ranks that share them: record/sections.h. Thread-safe. */
#ifndef ORK_SECTIONS_H
#define ORK_SECTIONS_H

#include "interceptor/mpi/mpi_library.h"
#include "record/sections.h"

/* Map the memory from this file, which is closed; -1: nothing is counted. */
void ork_sections_adopt(int fd);
/* Enter this process. Call once, when MPI is initialised: the others know from now on
 * that it counts its sections. */
void ork_sections_enter(void);
/* Do all members of the group count their sections in this memory? */
bool ork_sections_are_shared_by(MPI_Group group);

/* A key for the processes of a group, in their order: the same at each of them. 0: unknown. */
uint64_t ork_sections_key(MPI_Group group);

/* Words that are zero at first: the first of them, and the distance from each to the next. */
struct ork_sections_row {
    _Atomic uint64_t *word; /* NULL: there is no room */
    uint32_t stride;
};
/* Those of a key. */
struct ork_sections_row ork_sections_find(uint64_t key, uint32_t words);
/* The word of a location of ordered atomics, by its key, which is not 0; NULL: there is no room, at
 * any rank. */
_Atomic uint64_t *ork_sections_location(uint64_t key);
/* For interceptor/forcing/turns.h; NULL: nothing is counted. */
_Atomic uint64_t *ork_sections_decided(void);
_Atomic uint64_t *ork_sections_wanted(const _Atomic uint64_t *word);
/* For interceptor/forcing/held.h. */
_Atomic uint64_t *ork_sections_held(const _Atomic uint64_t *word);

#endif
