/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the entries of the preload file. */
#ifndef ORK_ENTRIES_H
#define ORK_ENTRIES_H

#include "record/calls.h"

#include <stdbool.h>

/* Whose function an entry has the name of. */
enum ork_owner {
    ORK_OF_MPI,     /* a backend may have a hook for it; if it has none, calls are counted */
    ORK_OF_LOCAL,   /* no hook, and none is needed */
    ORK_OF_NEWER,   /* no hook yet: calls are counted */
    ORK_OF_LIBRARY, /* a function of some MPI library beside MPI's, which its backend replaces */
    ORK_OF_SYSTEM,
};

struct ork_entry_name {
    const char *name;
    enum ork_owner owner;
    enum ork_call_id call; /* of MPI and NEWER; else ORK_CALL_NONE */
};

enum {
    ORK_ENTRIES = 0
#define ORK_ENTRY(name, owner, call) +1
#include "entries.def"
#undef ORK_ENTRY
};

/* Sorted by name. */
extern const struct ork_entry_name ork_entries[ORK_ENTRIES];

/* Is there an entry of this name, for a function of MPI? */
bool ork_has_entry(const char *name);

/* The code of all entries. */
extern const char ork_entries_begin[], ork_entries_end[];

#endif
