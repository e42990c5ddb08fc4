/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nesting of blocks and inlined calls that is followed. */
enum { DEPTH_MAX = 100 };

struct file {
    char *path;
    Dwfl *dwfl; /* NULL: cannot be read */
    Dwfl_Module *module;
    struct file *next;
};

struct ork_symbols {
    struct file *files;
};

enum ork_status ork_symbols_create(struct ork_symbols **out)
{
    struct ork_symbols *symbols = calloc(1, sizeof(*symbols));

    if (symbols == NULL)
        return ORK_NOMEM;
    unsetenv("DEBUGINFOD_URLS"); /* no network */
    *out = symbols;
    return ORK_OK;
}

void ork_symbols_destroy(struct ork_symbols *symbols)
{
    if (symbols == NULL)
        return;
    while (symbols->files != NULL) {
        struct file *next = symbols->files->next;
        if (symbols->files->dwfl != NULL)
            dwfl_end(symbols->files->dwfl);
        free(symbols->files->path);
        free(symbols->files);
        symbols->files = next;
    }
    free(symbols);
}

/* RATIONALE: the path comes from the application; a pipe would block here, a device never end. */
static int open_regular(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    return -1;
}

static void load(struct file *f)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };

    int fd = open_regular(f->path);
    if (fd < 0)
        return;
    f->dwfl = dwfl_begin(&callbacks);
    if (f->dwfl != NULL) {
        dwfl_report_begin(f->dwfl);
        f->module = dwfl_report_offline(f->dwfl, f->path, f->path, fd);
        dwfl_report_end(f->dwfl, NULL, NULL);
    }
    if (f->module == NULL) /* else libdwfl owns it */
        close(fd);
}

static struct file *open_file(struct ork_symbols *symbols, const char *path)
{
    struct file *f = symbols->files;

    while (f != NULL && strcmp(f->path, path) != 0)
        f = f->next;
    if (f != NULL)
        return f;
    f = calloc(1, sizeof(*f));
    char *copy = strdup(path);
    if (f == NULL || copy == NULL) {
        free(f);
        free(copy);
        return NULL;
    }
    f->path = copy;
    load(f);
    f->next = symbols->files;
    symbols->files = f;
    return f;
}

static bool is_function(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_entry_point;
}

/* Functions in it need not be within its addresses: Fortran's module and internal procedures. */
static bool may_hold_others(int tag)
{
    return tag == DW_TAG_module || tag == DW_TAG_namespace || tag == DW_TAG_subprogram;
}

/* Name of the innermost function below `die` that has pc, inlined ones included; NULL: there is
 * none. RATIONALE: dwarf_getscopes() looks only where the addresses say. */
static const char *innermost(Dwarf_Die *die, Dwarf_Addr pc, unsigned depth)
{
    Dwarf_Die child;

    if (depth == DEPTH_MAX || dwarf_child(die, &child) != 0)
        return NULL;
    do {
        int tag = dwarf_tag(&child);
        bool has_pc = dwarf_haspc(&child, pc) > 0;
        if (!has_pc && !may_hold_others(tag))
            continue;
        const char *name = innermost(&child, pc, depth + 1);
        if (name == NULL && has_pc && is_function(tag))
            name = dwarf_diename(&child);
        if (name != NULL)
            return name;
    } while (dwarf_siblingof(&child, &child) == 0);
    return NULL;
}

static const char *function_at(Dwfl_Module *module, Dwarf_Addr pc)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, pc, &bias);
    const char *name = unit == NULL ? NULL : innermost(unit, pc - bias, 0);

    return name != NULL ? name : dwfl_module_addrname(module, pc);
}

static enum ork_status set(char **to, const char *text)
{
    if (text == NULL)
        return ORK_OK;
    char *copy = strdup(text);
    if (copy == NULL)
        return ORK_NOMEM;
    free(*to);
    *to = copy;
    return ORK_OK;
}

enum ork_status ork_symbols_find(struct ork_symbols *symbols, const char *path, uint64_t address,
                                 struct ork_where *where)
{
    struct file *f = open_file(symbols, path);
    Dwarf_Addr bias = 0;
    int line = 0;

    if (f == NULL)
        return ORK_NOMEM;
    if (f->module == NULL || dwfl_module_getelf(f->module, &bias) == NULL)
        return ORK_NOTFOUND;
    Dwarf_Addr pc = bias + address - 1; /* inside the call instruction */
    enum ork_status status = set(&where->function, function_at(f->module, pc));
    Dwfl_Line *l = dwfl_module_getsrc(f->module, pc);
    const char *source = l == NULL ? NULL : dwfl_lineinfo(l, NULL, &line, NULL, NULL, NULL);
    if (status == ORK_OK)
        status = set(&where->file, source);
    if (source != NULL && line > 0)
        where->line = (uint32_t)line;
    return status;
}
