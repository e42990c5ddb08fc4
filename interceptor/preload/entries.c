/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/entries.h"

#include <stdlib.h>
#include <string.h>

const struct ork_entry_name ork_entries[ORK_ENTRIES] = {
#define ORK_ENTRY(name, owner, call) {#name, ORK_OF_##owner, ORK_CALL_##call},
#include "entries.def"
#undef ORK_ENTRY
};

static int compare(const void *name, const void *entry)
{
    return strcmp(name, ((const struct ork_entry_name *)entry)->name);
}

bool ork_has_entry(const char *name)
{
    const struct ork_entry_name *e =
        bsearch(name, ork_entries, ORK_ENTRIES, sizeof(ork_entries[0]), compare);

    return e != NULL && e->owner != ORK_OF_SYSTEM;
}
