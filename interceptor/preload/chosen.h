/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI library of this process, and its family. */
#ifndef ORK_CHOSEN_H
#define ORK_CHOSEN_H

#include "interceptor/preload/preload.h"

/* Libraries whose mpi.h are compatible. */
enum ork_family { ORK_FAMILY_UNKNOWN, ORK_FAMILY_OPENMPI, ORK_FAMILY_MPICH, ORK_FAMILY_ABI };

struct ork_chosen {
    void *handle; /* dlopen(3) */
    struct link_map *file;
    enum ork_family family;
    bool is_layer;   /* it has no profiling names: see ork_preload_library() */
    char soname[64]; /* "": it has none */
};

/* Find the library for a call from this address, and then its family, for which functions of the
 * library are called. False: this process has no MPI library. To be called once; ork_chosen() and
 * ork_preload_library() already know the library while the family is being found. */
bool ork_chosen_find(const void *caller);

/* All 0 before that. */
const struct ork_chosen *ork_chosen(void);

/* A function that is not the library's, which this caller of the symbol would call without the
 * tool: that of another file of the program. NULL: there is none. */
ork_function ork_preload_of_program(const char *symbol, const void *caller);

/* What dlsym() finds in the file of `caller` and those that it needs; NULL: nothing, or an entry.
 */
void *ork_preload_of_caller(const char *symbol, const void *caller);

/* Does this file, which is not the preload file, define the symbol itself? */
bool ork_defines(const struct link_map *file, const char *symbol);
/* Is it an MPI library: one that defines the functions of MPI itself? */
bool ork_is_mpi(const struct link_map *file);

/* Does the MPI library of this process have this function: the chosen one, or one that is loaded?
 */
bool ork_loaded_mpi_has(const char *symbol);

/* The preload file. */
const struct link_map *ork_own_file(void);
void *ork_own_handle(void);

/* The file that contains this function or data; NULL: none. */
struct link_map *ork_file_of(const void *address);

/* The symbol, if the file behind `handle` defines it itself: dlsym() also looks into those that it
 * needs. */
void *ork_symbol_of(const struct link_map *file, void *handle, const char *symbol);

#endif
