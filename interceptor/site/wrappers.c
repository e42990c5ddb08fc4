/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/wrappers.h"

#include "interceptor/preload/preload.h"
#include "interceptor/site/module.h"
#include "interceptor/site/site.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* Frames between the hook and the program, and those of this library. */
enum { FRAMES = 24 };

/* MPI_Comm_rank is MPI_COMM_RANK, mpi_comm_rank_ or pmpi_comm_rank__ in Fortran, mpi_comm_rank_f08_
 * in a layer, and mpi_comm_rank_f after one more letter. */
static bool is_symbol_of(const char *symbol, const char *name)
{
    static const char *const ends[] = {"", "_", "__", "_f", "_f08", "_f08_"};
    size_t length = strlen(name);
    const char *rest = symbol + (strncasecmp(symbol, "mpi", 3) != 0 && symbol[0] != '\0');

    if (strncasecmp(rest, name, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        if (strcmp(rest + length, ends[i]) == 0)
            return true;
    }
    return false;
}

enum ork_call_id ork_call_named(const char *symbol)
{
    unsigned id = 0;

    while (id < ORK_CALL_MAX && !is_symbol_of(symbol, ork_call_name(id)))
        id++;
    return (enum ork_call_id)id;
}

/* Of these frames of the program and of other tools, from the innermost one on, those up to the
 * outermost function of a tool; *innermost is the function of the innermost one. 0: none. */
static int count(void *const *frame, int n, enum ork_call_id *innermost)
{
    int frames = 0;

    for (int i = 0; i < n && frame[i] != NULL; i++) {
        const char *symbol;
        enum ork_caller caller = ork_module_function((uintptr_t)frame[i], &symbol);
        enum ork_call_id id = symbol != NULL ? ork_call_named(symbol) : ORK_CALL_MAX;
        if (caller == ORK_CALLER_MPI || caller == ORK_CALLER_BINDING)
            break;
        if (id == ORK_CALL_MAX)
            continue;
        if (frames == 0)
            *innermost = id;
        frames = i + 1;
    }
    return frames;
}

/* If the caller of a hook of the function `id` is in a function of a tool, enter the calls between
 * the program and the hook as the tool's. RATIONALE: by the frames, because the tool's function may
 * call others before the hook, and a file with such functions may also be a part of the program. */
static void enter(uintptr_t address, enum ork_call_id id)
{
    void *frame[FRAMES];
    int n = ork_backtrace(frame, FRAMES);
    int first = 0;
    enum ork_call_id function = id;

    while (first < n && (uintptr_t)frame[first] != address)
        first++;
    int frames = count(&frame[first], n - first, &function);
    for (int i = 0; i < frames; i++)
        ork_site_add_tool((uintptr_t)frame[first + i], function != id);
}

/* RATIONALE: if no tool defines MPI_X, the program calls its entry. To unwind takes time, and loads
 * a library. */
const struct ork_site *ork_site_add_caller(uintptr_t address, enum ork_call_id id,
                                           enum ork_level level)
{
    int saved = errno;
    enum ork_caller caller = ork_module_caller(address);

    ork_thread.in_library++; /* no access by a signal handler is looked at */
    if (caller != ORK_CALLER_MPI && caller != ORK_CALLER_BINDING &&
        (level == ORK_LEVEL_PMPI || ork_preload_has_tool(ork_call_name(id))))
        enter(address, id);
    ork_thread.in_library--;
    errno = saved;
    return ork_site_of(address);
}

/* ---- the place in the program ---- */

static bool is_between(const struct ork_site *site)
{
    return site->caller == ORK_CALLER_TOOL || site->caller == ORK_CALLER_BINDING;
}

static const struct ork_site *site_above(const struct ork_site *site, uintptr_t address)
{
    return ork_site_before(address, site->caller == ORK_CALLER_BINDING ? site->address : 0);
}

/* The first site outside of tools and layers, from frame to frame; NULL: a frame's size is unknown.
 */
static const struct ork_site *walk(const struct ork_site *site, uintptr_t cfa)
{
    if (ork_return_address(cfa) != site->address)
        return NULL;
    for (int i = 0; i < FRAMES && is_between(site); i++) {
        if (site->frame == 0)
            return NULL;
        cfa += site->frame;
        site = site_above(site, ork_return_address(cfa));
    }
    return is_between(site) ? NULL : site;
}

/* The same with the unwinder. NULL: there is none. */
static const struct ork_site *unwind(const struct ork_site *site)
{
    void *frame[FRAMES];
    int n = ork_backtrace(frame, FRAMES);
    int i = 0;

    while (i < n && (uintptr_t)frame[i] != site->address)
        i++;
    while (++i < n && frame[i] != NULL && is_between(site))
        site = site_above(site, (uintptr_t)frame[i]);
    return is_between(site) ? NULL : site;
}

bool ork_find_above_tool(struct ork_call *call, const struct ork_site *site, uintptr_t cfa)
{
    int saved = errno;
    const struct ork_site *found = walk(site, cfa);

    if (found == NULL)
        found = unwind(site);
    call->site = 0;
    if (found != NULL && found->caller == ORK_CALLER_PYTHON)
        call->site = ork_python_site(found);
    else if (found != NULL && found->caller == ORK_CALLER_APPLICATION)
        call->site = found->id;
    errno = saved;
    return found == NULL || found->caller != ORK_CALLER_MPI;
}

uint32_t ork_site_resolve(const struct ork_call *call)
{
    const uintptr_t address = (uintptr_t)call->address;
    const struct ork_site *site = ork_site_known(address);

    if (site == NULL)
        site = ork_site_add_caller(address, (enum ork_call_id)call->id, ORK_LEVEL_MPI);
    if (site->caller == ORK_CALLER_PYTHON)
        return ork_python_site(site);
    return is_between(site) ? ork_site_far() : site->id;
}
