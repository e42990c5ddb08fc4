/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/unknown.h"

#include "common/mpi_files.h"
#include "interceptor/preload/chosen.h"
#include "interceptor/preload/resolve.h"

#include <ctype.h>
#include <link.h>
#include <string.h>

/* RATIONALE: these neither communicate nor wait, and make no object that other calls are given. */
static const char *const harmless[] = {
    "MPI_Abi_get_version",    "MPI_Abi_get_info",         "MPI_Aint_add",
    "MPI_Aint_diff",          "MPI_Get_hw_resource_info", "MPI_Info_create_env",
    "MPI_Info_get_string",    "MPI_Type_size_c",          "MPIX_Query_cuda_support",
    "MPIX_Query_hip_support", "MPIX_Query_ze_support",
};

static bool is_harmless(const char *name)
{
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
        if (strcmp(harmless[i], name) == 0)
            return true;
    }
    return false;
}

/* Is it the name of a function of C? RATIONALE: those of constants, callbacks and functions of
 * Fortran are in capitals; and the tool information interface (MPI-3.1 section 14.3) does not
 * communicate. */
static bool is_function(const char *name)
{
    const char *rest = strncmp(name, "MPI_", 4) == 0    ? name + 4
                       : strncmp(name, "MPIX_", 5) == 0 ? name + 5
                                                        : "";

    return isupper((unsigned char)rest[0]) && islower((unsigned char)rest[1]);
}

static bool is_unknown(const char *symbol)
{
    const char *name = symbol + (symbol[0] == 'P');

    return is_function(name) && !ork_has_entry(symbol) && !is_harmless(name) &&
           ork_preload_library(symbol) != NULL;
}

/* ---- the symbols of a file ---- */

struct symbols {
    const ElfW(Sym) * symbol;
    const char *text;
    uint32_t count; /* of those at the beginning, which has all that it needs of others */
};

/* The head of a table of the section type SHT_GNU_HASH: it has only symbols from this number on. */
struct gnu_hash {
    uint32_t buckets, first;
};

static void read_dynamic(const ElfW(Dyn) * d, struct symbols *out)
{
    for (; d->d_tag != DT_NULL; d++) {
        const void *at = (const void *)d->d_un.d_ptr; /* an address, by the dynamic linker */
        if (d->d_tag == DT_SYMTAB)
            out->symbol = at;
        else if (d->d_tag == DT_STRTAB)
            out->text = at;
        else if (d->d_tag == DT_GNU_HASH)
            out->count = ((const struct gnu_hash *)at)->first;
    }
}

static const char *find_unknown(const struct symbols *s)
{
    for (uint32_t i = 1; s->symbol != NULL && s->text != NULL && i < s->count; i++) {
        const char *name = s->text + s->symbol[i].st_name;
        if (s->symbol[i].st_shndx == SHN_UNDEF && is_unknown(name))
            return name;
    }
    return NULL;
}

/* RATIONALE: a file without a name is the executable, and the kernel's own has addresses that are
 * relative. */
static bool is_of_program(const struct dl_phdr_info *info)
{
    const char *slash = strrchr(info->dlpi_name, '/');

    return info->dlpi_name[0] == '\0' ||
           (slash != NULL && ork_mpi_file_of(slash + 1) == ORK_MPI_FILE_NONE);
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    const char **found = context;

    (void)size;
    for (unsigned i = 0; is_of_program(info) && i < info->dlpi_phnum; i++) {
        struct symbols s = {.count = 0};
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        read_dynamic((const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &s);
        *found = find_unknown(&s);
    }
    return *found != NULL; /* ends the search */
}

const char *ork_preload_unknown(void)
{
    const char *found = NULL;

    dl_iterate_phdr(look_at, &found);
    return found;
}
