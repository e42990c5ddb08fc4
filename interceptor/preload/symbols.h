/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of symbols of a loaded file: what it gives to other files, and what it names of them.
 */
#ifndef ORK_SYMBOLS_H
#define ORK_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct ork_symbols {
    const ElfW(Sym) * symbol; /* symbol 0 has no name; NULL: the file has no table */
    const char *text;
    uint32_t count;
};

/* Is it a file of the program: none of an MPI library, nor the kernel's own? */
bool ork_is_of_program(const struct dl_phdr_info *info);

/* Those of a loaded file: `dynamic` is the l_ld of its struct link_map. */
void ork_symbols_read(const ElfW(Dyn) * dynamic, struct ork_symbols *out);

/* The name of symbol i. */
static inline const char *ork_symbol_name(const struct ork_symbols *s, uint32_t i)
{
    return s->text + s->symbol[i].st_name;
}

/* Does the file only name symbol i, and does another one define it? */
static inline bool ork_symbol_is_undefined(const struct ork_symbols *s, uint32_t i)
{
    return s->symbol[i].st_shndx == SHN_UNDEF;
}

/* Does the file call functions of MPI by their profiling names, of other files? */
bool ork_symbols_name_profiling(const ElfW(Dyn) * dynamic);
static inline bool ork_is_profiling_name(const char *name)
{
    return strncmp(name, "PMPI_", 5) == 0;
}

#endif
