/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators in a finding, and their ancestors. */
#include "overlay/findings/describe_internal.h"

#include "common/vec.h"
#include "overlay/findings/phrase.h"
#include "report/fold_runs.h"

#include <stdlib.h>
#include <string.h>

enum { COMMS_MAX = 32, ANCESTORS_MAX = 4 };

static enum ork_status fill_members(const struct ork_detector *d, uint32_t comm, uint32_t size,
                                    struct ork_communicator *c)
{
    uint32_t *rank = malloc(((size_t)size + 1) * sizeof(*rank));
    uint32_t n = 0;

    if (rank == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < size; i++) {
        rank[n] = ork_detector_comm_member(d, comm, i);
        n += rank[n] != UINT32_MAX;
    }
    enum ork_status status = ork_runs_make(rank, n, &c->member, &c->num_members);
    free(rank);
    return status;
}

static char *origin_words(const struct ork_comm_view *v)
{
    if (v->made_by == ORK_COLL_COMM_SPLIT)
        return ork_text("MPI_%s, color %d", ork_coll_name(v->made_by), v->color);
    return ork_text("MPI_%s", ork_coll_name(v->made_by));
}

static bool is_predefined(const struct ork_comm_view *v, uint32_t comm)
{
    return comm == ORK_COMM_WORLD || v->world_of != UINT32_MAX || v->is_parent ||
           v->made_by == ORK_COLL_NONE;
}

static enum ork_status fill(const struct ork_detector *d, struct ork_call_sites *sites,
                            uint32_t comm, struct ork_communicator *c)
{
    struct ork_comm_view v = ork_detector_comm(d, comm);

    c->name = ork_phrase_comm(d, sites, comm);
    c->size = v.size;
    c->inter = v.inter;
    if (c->name == NULL || fill_members(d, comm, v.size, c) != ORK_OK)
        return ORK_NOMEM;
    if (is_predefined(&v, comm))
        return ORK_OK;
    c->origin = origin_words(&v);
    c->parent = ork_phrase_comm(d, sites, v.parent);
    c->rank = v.rank;
    if (c->origin == NULL || c->parent == NULL)
        return ORK_NOMEM;
    return ork_call_sites_find(sites, v.rank, v.site, &c->where);
}

enum ork_status ork_describe_add_communicator(const struct ork_detector *d,
                                              struct ork_call_sites *sites, uint32_t comm,
                                              struct ork_u32s *seen, struct ork_finding *f)
{
    for (unsigned depth = 0; depth < ANCESTORS_MAX; depth++) {
        struct ork_comm_view v = ork_detector_comm(d, comm);
        if (comm == ORK_COMM_SELF || v.size == 0 || seen->count == COMMS_MAX)
            return ORK_OK;
        for (uint32_t i = 0; i < seen->count; i++) {
            if (seen->item[i] == comm)
                return ORK_OK;
        }
        uint32_t n = f->num_communicators;
        if (!ork_vec_extend(&f->communicator, n, n + 1, sizeof(*f->communicator)) ||
            !ork_describe_add_rank(seen, comm))
            return ORK_NOMEM;
        struct ork_communicator *c = &f->communicator[f->num_communicators++];
        enum ork_status status = fill(d, sites, comm, c);
        if (status != ORK_OK || is_predefined(&v, comm))
            return status;
        comm = v.parent;
    }
    return ORK_OK;
}

enum ork_status ork_describe_add_communicators(const struct ork_detector *d,
                                               struct ork_call_sites *sites,
                                               const struct ork_search *s, struct ork_finding *f)
{
    struct ork_u32s seen = {0};
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->num_waits && status == ORK_OK; i++) {
        struct ork_rank_view v = ork_search_rank(d, s, f->waits[i].rank);
        if (f->waits[i].comm != NULL)
            status = ork_describe_add_communicator(d, sites, v.comm, &seen, f);
    }
    for (uint32_t i = 0; i < s->num_terms && status == ORK_OK; i++) {
        const struct ork_term *t = &s->term[i];
        if (t->kind != ORK_KIND_SEND && t->kind != ORK_KIND_RECV && t->kind != ORK_KIND_COLL)
            continue;
        if (t->index != UINT32_MAX && ork_describe_row(f, t->rank) != NULL)
            status = ork_describe_add_communicator(d, sites, t->comm, &seen, f);
    }
    free(seen.item);
    return status;
}

/* "ranks 0 and 1"; empty if every rank has its own communicator. */
static char *members_words(const struct ork_detector *d, uint32_t comm)
{
    struct ork_u32s members = {0};
    uint32_t size = ork_detector_comm(d, comm).size;
    char *text = NULL;
    bool ok = true;

    for (uint32_t i = 0; i < size && ok; i++) {
        uint32_t rank = ork_detector_comm_member(d, comm, i);
        ok = rank == UINT32_MAX || ork_describe_add_rank(&members, rank);
    }
    ork_describe_sort_unique(&members);
    if (ok)
        text = members.count == 0 ? strdup("") : ork_describe_ranks(members.item, members.count);
    free(members.item);
    return text;
}

/* Distinguishes two communicators with one name: by members, or by age (numbers ascend). */
static char *apart_words(const struct ork_detector *d, uint32_t comm, uint32_t other,
                         const char *name)
{
    char *members = members_words(d, comm);
    char *beside = members_words(d, other);
    char *text = NULL;

    if (members != NULL && beside != NULL && strcmp(members, beside) == 0)
        text = ork_text("%s (the %s one)", name, comm < other ? "earlier" : "later");
    else if (members != NULL && beside != NULL)
        text = members[0] == '\0' ? strdup(name) : ork_text("%s (%s)", name, members);
    free(members);
    free(beside);
    return text;
}

char *ork_describe_comm_beside(const struct ork_detector *d, struct ork_call_sites *sites,
                               uint32_t comm, uint32_t other)
{
    char *name = ork_phrase_comm(d, sites, comm);
    char *beside = ork_phrase_comm(d, sites, other);
    bool same = name != NULL && beside != NULL && comm != other && strcmp(name, beside) == 0;
    char *text = same ? apart_words(d, comm, other, name) : name;

    if (same)
        free(name);
    free(beside);
    return text;
}
