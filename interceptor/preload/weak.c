/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/weak.h"

#include "interceptor/preload/chosen.h"
#include "interceptor/preload/real_dlsym.h"
#include "interceptor/preload/entries.h"
#include "interceptor/preload/symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A place of a file where the dynamic linker has stored the address of an entry. */
struct reference {
    const char *name;
    void **place;
    bool is_protected; /* its page can only be read */
};

/* References of all files: what is left to skip, and then the next one. */
struct search {
    uint32_t skip;
    struct reference found;
};

/* A file, its symbols, and the places that refer to them. */
struct file {
    uintptr_t base, protected_begin, protected_end;
    struct ork_symbols symbols;
    const ElfW(Rela) * rela[2];
    size_t num_rela[2];
};

static void read_dynamic(const ElfW(Dyn) * d, struct file *f)
{
    ork_symbols_read(d, &f->symbols);
    for (; d->d_tag != DT_NULL; d++) {
        const void *at = (const void *)d->d_un.d_ptr; /* an address, by the dynamic linker */
        if (d->d_tag == DT_RELA)
            f->rela[0] = at;
        else if (d->d_tag == DT_RELASZ)
            f->num_rela[0] = d->d_un.d_val / sizeof(ElfW(Rela));
        else if (d->d_tag == DT_JMPREL)
            f->rela[1] = at;
        else if (d->d_tag == DT_PLTRELSZ)
            f->num_rela[1] = d->d_un.d_val / sizeof(ElfW(Rela));
    }
}

/* RATIONALE: the dynamic linker leaves the last page as it is, unless it is whole. */
static void read_protected(const ElfW(Phdr) * p, struct file *f)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    f->protected_begin = (f->base + p->p_vaddr) & ~(page - 1);
    f->protected_end = (f->base + p->p_vaddr + p->p_memsz) & ~(page - 1);
}

/* False: it is none of the program. */
static bool read_file(const struct dl_phdr_info *info, struct file *f)
{
    *f = (struct file){.base = info->dlpi_addr};
    if (!ork_is_of_program(info))
        return false;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_DYNAMIC)
            read_dynamic((const void *)(f->base + p->p_vaddr), f);
        else if (p->p_type == PT_GNU_RELRO)
            read_protected(p, f);
    }
    return f->symbols.count > 0;
}

static bool is_to_entry(void *const *place)
{
    const uintptr_t at = (uintptr_t)*place;

    return at >= (uintptr_t)ork_entries_begin && at < (uintptr_t)ork_entries_end;
}

static uint32_t symbol_of(const ElfW(Rela) * r)
{
    return (uint32_t)ELF64_R_SYM(r->r_info);
}

/* A weak reference to an entry for a function of MPI? */
static bool is_wanted(const struct file *f, const ElfW(Rela) * r)
{
    const uint32_t i = symbol_of(r);

    return ork_symbol_is_undefined(&f->symbols, i) &&
           ELF64_ST_BIND(f->symbols.symbol[i].st_info) == STB_WEAK &&
           ork_has_entry(ork_symbol_name(&f->symbols, i)) &&
           is_to_entry((void *const *)(f->base + r->r_offset));
}

static void search_file(const struct file *f, struct search *search)
{
    for (unsigned k = 0; k < 2; k++) {
        for (size_t i = 0; i < f->num_rela[k] && search->found.name == NULL; i++) {
            const ElfW(Rela) *r = &f->rela[k][i];
            uintptr_t place = f->base + r->r_offset;
            if (!is_wanted(f, r) || search->skip-- > 0)
                continue;
            search->found = (struct reference){.name = ork_symbol_name(&f->symbols, symbol_of(r)),
                                               .place = (void **)place,
                                               .is_protected = place >= f->protected_begin &&
                                                               place < f->protected_end};
        }
    }
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    struct file f;

    (void)size;
    if (read_file(info, &f))
        search_file(&f, search);
    return search->found.name != NULL; /* ends the search */
}

static void clear(const struct reference *r)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *begin = (void *)((uintptr_t)r->place & ~(page - 1));

    if (r->is_protected && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0)
        return;
    *r->place = NULL;
    if (r->is_protected)
        mprotect(begin, page, PROT_READ);
}

/* RATIONALE: the library is asked outside of look_at(), as in unknown.c. */
void ork_weak_repair(void)
{
    int saved = errno;

    for (uint32_t kept = 0;;) {
        struct search search = {.skip = kept};
        dl_iterate_phdr(look_at, &search);
        if (search.found.name == NULL)
            break;
        if (!ork_loaded_mpi_has(search.found.name) &&
            ork_dlsym(RTLD_NEXT, search.found.name) == NULL)
            clear(&search.found);
        kept += is_to_entry(search.found.place);
    }
    errno = saved;
}
