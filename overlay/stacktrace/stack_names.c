/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions, files and lines of return addresses, inlined calls included, from the files alone.
 * Each file is read once, and each address named once, for all processes. */
#include "common/table.h"
#include "overlay/stacktrace/stack_functions.h"
#include "overlay/stacktrace/stack_internal.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    struct stat is;
    bool is_foreign; /* of MPI or the C library: names of functions suffice */
    Dwfl *dwfl;      /* NULL: cannot be read */
    Dwfl_Module *module;
    struct ork_function_lists *functions;
    struct ork_table places; /* struct ork_place, by address and whether it is a call; without
                              * frames: not named */
    struct file *next;
};

struct ork_names {
    struct file *files;
};

enum ork_status ork_stack_names_create(struct ork_names **out)
{
    struct ork_names *names = calloc(1, sizeof(*names));

    if (names == NULL)
        return ORK_NOMEM;
    unsetenv("DEBUGINFOD_URLS"); /* no network */
    *out = names;
    return ORK_OK;
}

static void free_frames(void *context, void *place)
{
    const struct ork_place *p = place;

    (void)context;
    for (uint32_t i = 0; p->frame != NULL && i < p->num_frames; i++) {
        free(p->frame[i].function);
        free(p->frame[i].file);
    }
    free(p->frame);
}

static void file_free(struct file *f)
{
    ork_table_release(&f->places, free_frames, NULL);
    ork_function_lists_destroy(f->functions);
    if (f->dwfl != NULL)
        dwfl_end(f->dwfl);
    free(f);
}

void ork_stack_names_destroy(struct ork_names *names)
{
    if (names == NULL)
        return;
    while (names->files != NULL) {
        struct file *next = names->files->next;
        file_free(names->files);
        names->files = next;
    }
    free(names);
}

/* ---- files ---- */

/* RATIONALE: where dwfl_standard_find_debuginfo() finds nothing, it loads libdebuginfod and all
 * libraries of an HTTP client, which takes many times as long as all else here. An executable
 * without a link has at most a file with its build ID. */
static int find_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                          const char *file, const char *link, GElf_Word crc, char **out)
{
    if (link == NULL)
        return dwfl_build_id_find_debuginfo(module, userdata, name, base, file, link, crc, out);
    return dwfl_standard_find_debuginfo(module, userdata, name, base, file, link, crc, out);
}

/* Takes ownership of `fd`. */
static void load(struct file *f, const char *path, int fd)
{
    static const Dwfl_Callbacks full = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    static const Dwfl_Callbacks short_ = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = ork_stack_no_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    const char *slash = strrchr(path, '/');

    f->is_foreign = ork_stack_is_foreign(slash != NULL ? slash + 1 : path);
    f->dwfl = dwfl_begin(f->is_foreign ? &short_ : &full);
    if (f->dwfl != NULL) {
        dwfl_report_begin(f->dwfl);
        f->module = dwfl_report_offline(f->dwfl, path, path, fd);
        dwfl_report_end(f->dwfl, NULL, NULL);
    }
    if (f->module == NULL) /* else libdwfl owns it */
        close(fd);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* *out stays NULL if there is no such file. */
static enum ork_status find_file(struct ork_names *names, uint32_t pid, const char *path,
                                 struct file **out)
{
    int fd = ork_stack_open(pid, path);
    struct file *f = names->files;
    struct stat is;

    if (fd < 0 || fstat(fd, &is) != 0) {
        if (fd >= 0)
            close(fd);
        return ORK_OK;
    }
    while (f != NULL && !is_same(&f->is, &is))
        f = f->next;
    if (f != NULL) {
        close(fd);
        *out = f;
        return ORK_OK;
    }
    f = calloc(1, sizeof(*f));
    if (f == NULL) {
        close(fd);
        return ORK_NOMEM;
    }
    f->is = is;
    load(f, path, fd);
    f->next = names->files;
    names->files = f;
    *out = f;
    return ORK_OK;
}

/* ---- names ---- */

static const char *string_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

/* RATIONALE: for C++ only the linker's symbol includes the scope. */
static char *name_of(Dwarf_Die *die)
{
    const char *linkage = string_of(die, DW_AT_linkage_name);
    const char *name = dwarf_diename(die);

    if (linkage != NULL && strncmp(linkage, "_Z", 2) == 0)
        return ork_symbol_source_name(linkage);
    return name != NULL ? strdup(name) : NULL;
}

/* The path of a source file, which the compiler may have named relative to the folder it ran in.
 * NULL: unknown, or out of memory. */
static char *path_of(const char *source, Dwarf_Die *unit)
{
    const char *folder = unit == NULL ? NULL : string_of(unit, DW_AT_comp_dir);
    char *path = NULL, *found;

    if (source == NULL)
        return NULL;
    if (source[0] == '/' || folder == NULL || folder[0] != '/')
        return strdup(source);
    if (asprintf(&path, "%s/%s", folder, source) < 0)
        return NULL;
    found = realpath(path, NULL); /* without the ".." of a build folder */
    if (found != NULL) {
        free(path);
        return found;
    }
    return path;
}

/* Where `inlined` is called in the function that contains it. */
static void set_call(struct ork_frame *frame, Dwarf_Die *inlined)
{
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0, number = 0;
    Dwarf_Die unit;
    Dwarf_Files *files;

    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0)
        frame->line = (uint32_t)line;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) != 0)
        return;
    if (dwarf_diecu(inlined, &unit, NULL, NULL) == NULL ||
        dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return;
    frame->file = path_of(dwarf_filesrc(files, number, NULL, NULL), &unit);
}

static void set_line(struct ork_frame *frame, Dwfl_Module *module, Dwarf_Addr pc)
{
    int line = 0;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = ork_function_unit(module, pc, &bias);
    Dwarf_Line *l = unit == NULL ? NULL : dwarf_getsrc_die(unit, pc - bias);
    const char *source = l == NULL ? NULL : dwarf_linesrc(l, NULL, NULL);

    if (source != NULL && dwarf_lineno(l, &line) != 0)
        line = 0;
    frame->file = path_of(source, unit);
    frame->line = source != NULL && line > 0 ? (uint32_t)line : 0;
}

/* RATIONALE: if no symbol contains the address, libdwfl names the last one without a size before
 * it. */
static char *symbol_at(Dwfl_Module *module, Dwarf_Addr pc)
{
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module, pc, &offset, &symbol, NULL, NULL, NULL);

    return name != NULL && offset < symbol.st_size ? ork_symbol_source_name(name) : NULL;
}

/* False: out of memory. */
static bool fill(struct file *f, Dwarf_Addr pc, struct ork_place *place)
{
    struct ork_functions chain = {.count = 0};

    if (!f->is_foreign && !ork_function_lists_find(&f->functions, f->module, pc, &chain))
        return false;
    place->num_frames = chain.count > 0 ? chain.count : 1;
    place->frame = calloc(place->num_frames, sizeof(*place->frame));
    if (place->frame == NULL)
        return false;
    if (!f->is_foreign)
        set_line(&place->frame[0], f->module, pc);
    for (uint32_t i = 0; i < chain.count; i++) {
        place->frame[i].function = name_of(&chain.die[i]);
        place->frame[i].inlined = dwarf_tag(&chain.die[i]) == DW_TAG_inlined_subroutine;
        if (i > 0)
            set_call(&place->frame[i], &chain.die[i - 1]);
    }
    struct ork_frame *last = &place->frame[place->num_frames - 1];
    if (last->function == NULL && !last->inlined)
        last->function = symbol_at(f->module, pc);
    return true;
}

enum ork_status ork_stack_names_find(struct ork_names *names, uint32_t pid,
                                     const struct ork_step *step, const struct ork_place **out)
{
    struct file *f = NULL;
    Dwarf_Addr bias = 0;
    enum ork_status status = step->path == NULL ? ORK_OK : find_file(names, pid, step->path, &f);

    *out = NULL;
    if (status != ORK_OK || f == NULL || f->module == NULL)
        return status;
    struct ork_place *place =
        ork_table_use(&f->places, step->address, step->is_call, sizeof(*place));
    if (place == NULL || (place->frame == NULL && dwfl_module_getelf(f->module, &bias) != NULL &&
                          !fill(f, bias + step->address - (step->is_call ? 1 : 0), place)))
        return ORK_NOMEM;
    *out = place->frame != NULL ? place : NULL;
    return ORK_OK;
}

bool ork_stack_names_locate(struct ork_names *names, uint32_t pid, const struct ork_step *step,
                            const char *const *name, uint64_t *address, uint32_t count)
{
    struct file *f = NULL;
    Dwarf_Addr bias = 0;
    uint32_t found = 0;

    if (find_file(names, pid, step->path, &f) != ORK_OK || f == NULL || f->module == NULL ||
        dwfl_module_getelf(f->module, &bias) == NULL)
        return false;
    memset(address, 0, count * sizeof(*address));
    int symbols = dwfl_module_getsymtab(f->module);
    for (int i = 0; i < symbols && found < count; i++) {
        GElf_Sym symbol;
        GElf_Addr at;
        const char *text = dwfl_module_getsym_info(f->module, i, &symbol, &at, NULL, NULL, NULL);
        for (uint32_t k = 0; text != NULL && k < count; k++)
            if (address[k] == 0 && strcmp(text, name[k]) == 0 && symbol.st_shndx != SHN_UNDEF) {
                address[k] = at - bias + step->bias;
                found++;
            }
    }
    return found == count;
}
