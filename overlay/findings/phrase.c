/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/phrase.h"

#include "overlay/findings/mpi4py.h"
#include "overlay/stacktrace/source_line.h"
#include "record/calls.h"
#include "record/reductions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t run_length(const uint32_t *rank, uint32_t count)
{
    uint32_t n = 1;

    while (n < count && rank[n] == rank[0] + n)
        n++;
    return n;
}

char *ork_phrase_ranks(const uint32_t *rank, uint32_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fputs(count == 1 ? "rank " : "ranks ", out);
    for (uint32_t i = 0; i < count;) {
        uint32_t n = run_length(rank + i, count - i);
        if (n == 2) /* "0 and 1" reads better than "0-1" */
            n = 1;
        if (i > 0)
            fputs(i + n == count ? " and " : ", ", out);
        fprintf(out, "%u", rank[i]);
        if (n > 1)
            fprintf(out, "-%u", rank[i + n - 1]);
        i += n;
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Number of ancestors of a communicator that are shown; chains may have thousands. */
enum { ANCESTORS_MAX = 4 };

static char *comm_words(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t comm,
                        unsigned ancestors);

/* Each side gives its own communicator: facts about one do not hold for the other. */
static bool joins_groups(enum ork_coll made_by)
{
    return made_by == ORK_COLL_INTERCOMM_CREATE || made_by == ORK_COLL_COMM_ACCEPT ||
           made_by == ORK_COLL_COMM_CONNECT || made_by == ORK_COLL_COMM_JOIN;
}

static char *made_words(const struct ork_detector *d, struct ork_call_sites *sites,
                        const struct ork_comm_view *c, unsigned ancestors)
{
    struct ork_where where;
    char *text = NULL;
    char *parent = comm_words(d, sites, c->parent, ancestors - 1);
    char color[32] = "";
    char place[512] = "";

    if (parent == NULL || ork_call_sites_find(sites, c->rank, c->site, &where) != ORK_OK) {
        free(parent);
        return NULL;
    }
    if (c->made_by == ORK_COLL_COMM_SPLIT)
        snprintf(color, sizeof(color), ", color %d", c->color);
    if (where.file != NULL)
        snprintf(place, sizeof(place), ", at %s:%u", base_name(where.file), where.line);
    if (joins_groups(c->made_by) && place[0] != '\0')
        text = ork_text("MPI_%s%s", ork_coll_name(c->made_by), place + strlen(","));
    else
        text = ork_text(strstr(parent, " at ") == NULL ? "MPI_%s of %s%s%s" : "MPI_%s of (%s)%s%s",
                        ork_coll_name(c->made_by), parent, color, place);
    free(parent);
    ork_where_release(&where);
    return text;
}

static char *comm_words(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t comm,
                        unsigned ancestors)
{
    if (comm == ORK_COMM_WORLD)
        return strdup("MPI_COMM_WORLD");
    if (comm == ORK_COMM_SELF)
        return strdup("MPI_COMM_SELF");
    struct ork_comm_view c = ork_detector_comm(d, comm);
    if (c.name != NULL)
        return strdup(c.name);
    if (c.world_of != UINT32_MAX)
        return ork_text("MPI_COMM_WORLD of job %u", c.world_of + 1);
    if (c.is_parent)
        return strdup("MPI_COMM_PARENT");
    if (c.made_by == ORK_COLL_NONE)
        return strdup("a communicator that was freed");
    if (ancestors == 0)
        return strdup("another communicator");
    return made_words(d, sites, &c, ancestors);
}

char *ork_phrase_comm(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t comm)
{
    return comm_words(d, sites, comm, ANCESTORS_MAX);
}

char *ork_phrase_peer(int32_t peer)
{
    switch (peer) {
    case ORK_ANY_SOURCE:
        return strdup("MPI_ANY_SOURCE");
    case ORK_PROC_NULL:
        return strdup("MPI_PROC_NULL");
    case ORK_ROOT:
        return strdup("MPI_ROOT");
    default:
        return ork_text("%d", peer);
    }
}

char *ork_phrase_tag(int32_t tag)
{
    return tag == ORK_ANY_TAG ? strdup("MPI_ANY_TAG") : ork_text("%d", tag);
}

const char *ork_phrase_reduction(uint32_t number)
{
    static const char *const name[ORK_REDUCTIONS] = {
#define ORK_REDUCTION(name) [ORK_REDUCTION_##name] = #name,
#include "record/reductions.def"
#undef ORK_REDUCTION
    };

    return number < ORK_REDUCTIONS ? name[number] : NULL;
}

char *ork_phrase_own_name(const char *call, const struct ork_where *where)
{
    const char *dot = where->file != NULL ? strrchr(where->file, '.') : NULL;
    char *line =
        dot != NULL && strcmp(dot, ".py") == 0 ? ork_source_line(where->file, where->line) : NULL;
    char *name = line != NULL ? ork_mpi4py_name(line, call) : NULL;

    free(line);
    return name;
}

char *ork_phrase_call(const char *call, const struct ork_where *where)
{
    if (where->file == NULL)
        return strdup(call);
    const char *file = base_name(where->file);
    char *own = ork_phrase_own_name(call, where);
    char *text = own != NULL ? ork_text("%s (%s) at %s:%u", own, call, file, where->line)
                             : ork_text("%s at %s:%u", call, file, where->line);
    free(own);
    return text;
}

char *ork_phrase_in_call(const char *call, const struct ork_where *where)
{
    if (where->file == NULL)
        return strdup(call);
    const char *file = base_name(where->file);
    char *own = ork_phrase_own_name(call, where);
    char *text = own != NULL ? ork_text("%s (%s, %s:%u)", own, call, file, where->line)
                             : ork_text("%s (%s:%u)", call, file, where->line);
    free(own);
    return text;
}

char *ork_phrase_in_call_at(struct ork_call_sites *sites, uint32_t rank, const char *call,
                            uint32_t site)
{
    struct ork_where where;

    if (ork_call_sites_find(sites, rank, site, &where) != ORK_OK)
        return NULL;
    char *text = ork_phrase_in_call(call, &where);
    ork_where_release(&where);
    return text;
}

char *ork_phrase_call_at(struct ork_call_sites *sites, uint32_t rank, unsigned call, uint32_t site)
{
    struct ork_where where;

    if (ork_call_sites_find(sites, rank, site, &where) != ORK_OK)
        return NULL;
    char *text = ork_phrase_call(ork_call_name(call), &where);
    ork_where_release(&where);
    return text;
}

static char *place_words(const struct ork_where *w)
{
    const char *function = w->function != NULL ? w->function : "";

    if (w->file == NULL)
        return strdup(w->function != NULL ? function
                      : w->module != NULL ? base_name(w->module)
                                          : "");
    return ork_text("%s:%u%s%s", base_name(w->file), w->line, function[0] != '\0' ? " in " : "",
                    function);
}

char *ork_phrase_place(struct ork_call_sites *sites, uint32_t rank, uint32_t site)
{
    struct ork_where where;

    if (ork_call_sites_find(sites, rank, site, &where) != ORK_OK)
        return NULL;
    char *text = place_words(&where);
    ork_where_release(&where);
    return text;
}
