/* SPDX-License-Identifier: BSD-3-Clause */
/* What the preload file gives to backends: docs/explanation/mpi-libraries.md. */
#ifndef ORK_PRELOAD_H
#define ORK_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A backend finds it by the dynamic linker; so it has the prefix of the project. */
#define ORK_FOR_BACKENDS __attribute__((visibility("default")))

typedef void (*ork_function)(void);
struct link_map;

/* A function of the MPI library of this process, such as "PMPI_Send"; never an entry of the preload
 * file, or of another tool. NULL: it has none of this name. A layer that translates for a library
 * of another ABI is the library; but a PMPI_X is that of the library below it, which alone calls
 * it. */
ORK_FOR_BACKENDS ork_function ork_preload_library(const char *symbol);

/* The function that the program would call without the tool, such as "free": the next one in the
 * search order after the preload file. NULL: there is none. */
ORK_FOR_BACKENDS ork_function ork_preload_next(const char *symbol);

/* Does another tool define this function, such as "MPI_Send": before the preload file, in the
 * program itself, or behind it? */
ORK_FOR_BACKENDS bool ork_preload_has_tool(const char *symbol);

/* Is this loaded file the MPI library of this process? */
ORK_FOR_BACKENDS bool ork_preload_is_library(const struct link_map *file);

/* The first line of MPI_Get_library_version, with single blanks ("MPICH Version: 4.0.2"), at most
 * room - 1 bytes and a terminator; "": unknown. */
ORK_FOR_BACKENDS void ork_preload_version(char *out, size_t room);

/* How many processes the launcher started together, whichever launcher it is; 0: unknown. */
ORK_FOR_BACKENDS uint32_t ork_preload_launched(void);

/* MPI_Init was called by way of an entry. */
ORK_FOR_BACKENDS void ork_preload_note_init(void);

#endif
