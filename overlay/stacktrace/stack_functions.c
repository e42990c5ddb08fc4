/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: a program may have thousands of calls of MPI in one function, each in a block of its
 * own, or thousands of functions in one file. So the entries of a compilation unit, and those of a
 * function, are read once: a list of functions by their addresses. */
#include "overlay/stacktrace/stack_functions.h"

#include "common/vec.h"

#include <assert.h>
#include <dwarf.h>
#include <stdlib.h>

/* Greatest nesting of blocks that is read. */
enum { DEPTH_MAX = 100 };

#define NO_FUNCTION UINT32_MAX

/* Addresses low..high-1 of a function, which may have several such parts. */
struct part {
    Dwarf_Addr low, high;
    Dwarf_Die die;
    uint32_t function; /* its number in the list */
    uint32_t outer;    /* the number of the one that contains it, or NO_FUNCTION */
};

/* What is listed, in the order of the debug information, so that outer functions come first. */
enum scope {
    OF_UNIT,     /* the functions of a compilation unit */
    NESTED,      /* those, and the functions that are nested in them */
    OF_FUNCTION, /* the inlined calls in a function, and the functions that are nested in it */
};

struct list {
    Dwarf_Off of; /* of the unit's or the function's entry */
    enum scope scope;
    struct part *part;
    uint32_t count, room;
    uint32_t functions;
    struct list *next;
};

struct ork_function_lists {
    struct list *first; /* the one that was used last */
};

void ork_function_lists_destroy(struct ork_function_lists *lists)
{
    if (lists == NULL)
        return;
    while (lists->first != NULL) {
        struct list *next = lists->first->next;
        free(lists->first->part);
        free(lists->first);
        lists->first = next;
    }
    free(lists);
}

static bool is_function(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_entry_point;
}

/* Add the parts of a function. False: out of memory. */
static bool add(struct list *l, Dwarf_Die *die, uint32_t outer)
{
    Dwarf_Addr base, low, high;
    const uint32_t function = l->functions++;

    for (ptrdiff_t at = dwarf_ranges(die, 0, &base, &low, &high); at > 0;
         at = dwarf_ranges(die, at, &base, &low, &high)) {
        if (!ork_vec_reserve(&l->part, &l->room, l->count + 1, sizeof(*l->part)))
            return false;
        l->part[l->count++] = (struct part){low, high, *die, function, outer};
    }
    return true;
}

static bool has_addresses(Dwarf_Die *die)
{
    Dwarf_Addr base, low, high;

    return dwarf_ranges(die, 0, &base, &low, &high) > 0;
}

/* May functions that belong to the list be below this entry? Those of Fortran's modules, and its
 * internal procedures, lie outside of the addresses of what contains them. */
static bool is_searched(const struct list *l, Dwarf_Die *die, int tag)
{
    if (l->scope == OF_FUNCTION)
        return tag == DW_TAG_subprogram || has_addresses(die);
    return tag == DW_TAG_module || tag == DW_TAG_namespace ||
           (l->scope == NESTED && tag == DW_TAG_subprogram);
}

/* List the functions below `die`. False: out of memory. */
static bool fill(struct list *l, Dwarf_Die *die, uint32_t outer, unsigned depth)
{
    Dwarf_Die child;

    if (depth == DEPTH_MAX || dwarf_child(die, &child) != 0)
        return true;
    do {
        int tag = dwarf_tag(&child);
        uint32_t inner = outer;
        if (is_function(tag)) {
            inner = l->functions;
            if (!add(l, &child, outer))
                return false;
        }
        if (is_searched(l, &child, tag) && !fill(l, &child, inner, depth + 1))
            return false;
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

/* The list of a unit or a function. NULL: out of memory. */
static const struct list *list_of(struct ork_function_lists *lists, Dwarf_Die *die,
                                  enum scope scope)
{
    const Dwarf_Off of = dwarf_dieoffset(die);
    struct list **at = &lists->first;

    while (*at != NULL && ((*at)->of != of || (*at)->scope != scope))
        at = &(*at)->next;
    struct list *l = *at;
    if (l != NULL) {
        *at = l->next;
    } else {
        l = calloc(1, sizeof(*l));
        if (l == NULL)
            return NULL;
        l->of = of;
        l->scope = scope;
        if (!fill(l, die, NO_FUNCTION, 0)) {
            free(l->part);
            free(l);
            return NULL;
        }
    }
    l->next = lists->first;
    lists->first = l;
    return l;
}

static bool has_pc(const struct part *p, Dwarf_Addr pc)
{
    return p->low <= pc && pc < p->high;
}

/* The innermost function of a unit that contains the address, in one that is not inlined; NULL:
 * none. */
static const struct part *innermost(const struct list *l, Dwarf_Addr pc)
{
    const struct part *found = NULL;

    for (uint32_t i = 0; i < l->count; i++) {
        if (has_pc(&l->part[i], pc) &&
            l->part[i].outer == (found != NULL ? found->function : NO_FUNCTION))
            found = &l->part[i];
    }
    return found;
}

/* The inlined calls that contain the address, and the function they are in. */
static void collect(const struct list *l, Dwarf_Addr pc, Dwarf_Die *function,
                    struct ork_functions *out)
{
    uint32_t path[DEPTH_MAX], length = 0, last = NO_FUNCTION;

    for (uint32_t i = 0; i < l->count; i++) {
        if (!has_pc(&l->part[i], pc) || l->part[i].outer != last)
            continue;
        assert(length < DEPTH_MAX); /* each is one level deeper */
        path[length++] = i;
        last = l->part[i].function;
    }
    while (length > 0 && out->count < ORK_INLINED_MAX) {
        out->die[out->count++] = l->part[path[--length]].die;
        if (dwarf_tag(&out->die[out->count - 1]) != DW_TAG_inlined_subroutine)
            return;
    }
    if (out->count < ORK_INLINED_MAX)
        out->die[out->count++] = *function;
}

/* RATIONALE: libdwfl only looks into the section .debug_aranges, which Clang does not write. */
Dwarf_Die *ork_function_unit(Dwfl_Module *module, Dwarf_Addr pc, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, pc, bias);

    if (unit != NULL)
        return unit;
    do
        unit = dwfl_module_nextcu(module, unit, bias);
    while (unit != NULL && dwarf_haspc(unit, pc - *bias) <= 0);
    return unit;
}

bool ork_function_lists_find(struct ork_function_lists **lists, Dwfl_Module *module, Dwarf_Addr pc,
                             struct ork_functions *out)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = ork_function_unit(module, pc, &bias);

    out->count = 0;
    if (unit == NULL)
        return true;
    if (*lists == NULL)
        *lists = calloc(1, sizeof(**lists));
    if (*lists == NULL)
        return false;
    const struct part *found = NULL;
    for (int scope = OF_UNIT; scope <= NESTED && found == NULL; scope++) {
        const struct list *l = list_of(*lists, unit, (enum scope)scope);
        if (l == NULL)
            return false;
        found = innermost(l, pc - bias);
    }
    if (found == NULL)
        return true;
    Dwarf_Die function = found->die;
    const struct list *inside = list_of(*lists, &function, OF_FUNCTION);
    if (inside == NULL)
        return false;
    collect(inside, pc - bias, &function, out);
    return true;
}
