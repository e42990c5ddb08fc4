/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/symbols.h"

#include "common/mpi_files.h"

#include <stddef.h>

/* RATIONALE: a file without a name is the executable, and the kernel's own has addresses that are
 * relative. */
bool ork_is_of_program(const struct dl_phdr_info *info)
{
    const char *slash = strrchr(info->dlpi_name, '/');

    return info->dlpi_name[0] == '\0' ||
           (slash != NULL && ork_mpi_file_of(slash + 1) == ORK_MPI_FILE_NONE);
}

/* Sections of the types SHT_HASH and SHT_GNU_HASH. */
struct tables {
    const uint32_t *hash, *gnu_hash;
};

static void read_dynamic(const ElfW(Dyn) * d, struct ork_symbols *out, struct tables *tables)
{
    for (; d->d_tag != DT_NULL; d++) {
        const void *at = (const void *)d->d_un.d_ptr; /* an address, by the dynamic linker */
        if (d->d_tag == DT_SYMTAB)
            out->symbol = at;
        else if (d->d_tag == DT_STRTAB)
            out->text = at;
        else if (d->d_tag == DT_HASH)
            tables->hash = at;
        else if (d->d_tag == DT_GNU_HASH)
            tables->gnu_hash = at;
    }
}

/* The table has buckets, which begin chains of symbols in the order of their numbers; the last of a
 * chain is marked. 0: no symbol is in it. */
static uint32_t count_in_gnu_hash(const uint32_t *table)
{
    const uint32_t buckets = table[0], first = table[1], words = table[2];
    const uint32_t *bucket = table + 4 + words * (sizeof(ElfW(Addr)) / sizeof(*table));
    const uint32_t *chain = bucket + buckets;
    uint32_t last = 0;

    for (uint32_t i = 0; i < buckets; i++)
        last = bucket[i] > last ? bucket[i] : last;
    if (last < first || last == 0)
        return 0;
    while ((chain[last - first] & 1) == 0)
        last++;
    return last + 1;
}

/* RATIONALE: no section tells the number itself. Behind the symbols of a file that defines none for
 * others, linkers put their names. */
static uint32_t count(const struct ork_symbols *s, const struct tables *tables)
{
    uint32_t n = tables->hash != NULL       ? tables->hash[1]
                 : tables->gnu_hash != NULL ? count_in_gnu_hash(tables->gnu_hash)
                                            : 0;
    const char *begin = (const char *)s->symbol;

    if (n == 0 && s->text > begin)
        n = (uint32_t)((size_t)(s->text - begin) / sizeof(*s->symbol));
    return n;
}

void ork_symbols_read(const ElfW(Dyn) * dynamic, struct ork_symbols *out)
{
    struct tables tables = {.hash = NULL};

    *out = (struct ork_symbols){.symbol = NULL};
    if (dynamic == NULL)
        return;
    read_dynamic(dynamic, out, &tables);
    if (out->symbol != NULL && out->text != NULL)
        out->count = count(out, &tables);
}

bool ork_symbols_name_profiling(const ElfW(Dyn) * dynamic)
{
    struct ork_symbols s;
    bool found = false;

    ork_symbols_read(dynamic, &s);
    for (uint32_t i = 1; i < s.count && !found; i++)
        found = ork_symbol_is_undefined(&s, i) && ork_is_profiling_name(ork_symbol_name(&s, i));
    return found;
}
