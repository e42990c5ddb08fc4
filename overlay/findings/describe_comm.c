/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators in a finding, and their ancestors. */
#include "overlay/findings/describe_internal.h"

#include "common/vec.h"
#include "overlay/findings/phrase.h"
#include "report/fold_runs.h"

#include <string.h>

enum { COMMS_MAX = 32, ANCESTORS_MAX = 4 };

static void fill_members(struct ork_writing *w, uint32_t comm, uint32_t size,
                         struct ork_communicator *c)
{
    uint32_t *rank = ork_writing_alloc(w, size, sizeof(*rank));
    uint32_t n = 0;

    if (rank == NULL)
        return;
    for (uint32_t i = 0; i < size; i++) {
        rank[n] = ork_detector_comm_member(w->d, comm, i);
        n += rank[n] != UINT32_MAX;
    }
    ork_writing_check(w, ork_runs_make(rank, n, &c->member, &c->num_members));
}

static const char *origin_words(struct ork_writing *w, const struct ork_comm_view *v)
{
    const char *call = ork_writing_keep(w, ork_text("MPI_%s", ork_coll_name(v->made_by)));

    return v->made_by != ORK_COLL_COMM_SPLIT
               ? call
               : ork_say(w, SAYS_COMM_COLOR, TEXT('c', call), NUMBER('n', v->color));
}

static bool is_predefined(const struct ork_comm_view *v, uint32_t comm)
{
    return comm == ORK_COMM_WORLD || v->world_of != UINT32_MAX || v->is_parent ||
           v->made_by == ORK_COLL_NONE;
}

static void fill(struct ork_writing *w, uint32_t comm, const struct ork_comm_view *v,
                 struct ork_communicator *c)
{
    c->name = ork_writing_give(w, ork_comm_words(w, comm));
    c->size = v->size;
    c->inter = v->inter;
    fill_members(w, comm, v->size, c);
    if (is_predefined(v, comm))
        return;
    c->origin = ork_writing_give(w, origin_words(w, v));
    c->parent = ork_writing_give(w, ork_comm_words(w, v->parent));
    c->rank = v->rank;
    ork_writing_check(w, ork_call_sites_find(w->sites, v->rank, v->site, &c->where));
}

static bool is_in(const struct ork_u32s *seen, uint32_t comm)
{
    for (uint32_t i = 0; i < seen->count; i++) {
        if (seen->item[i] == comm)
            return true;
    }
    return false;
}

void ork_describe_add_communicator(struct ork_writing *w, uint32_t comm, struct ork_u32s *seen,
                                   struct ork_finding *f)
{
    for (unsigned depth = 0; depth < ANCESTORS_MAX && w->status == ORK_OK; depth++) {
        struct ork_comm_view v = ork_detector_comm(w->d, comm);
        uint32_t n = f->num_communicators;
        if (comm == ORK_COMM_SELF || v.size == 0 || seen->count == COMMS_MAX || is_in(seen, comm))
            return;
        ork_writing_add(w, seen, comm);
        if (!ork_vec_extend(&f->communicator, n, n + 1, sizeof(*f->communicator))) {
            ork_writing_check(w, ORK_NOMEM);
            return;
        }
        fill(w, comm, &v, &f->communicator[f->num_communicators++]);
        if (is_predefined(&v, comm))
            return;
        comm = v.parent;
    }
}

void ork_describe_add_communicators(struct ork_writing *w, const struct ork_search *s,
                                    struct ork_finding *f)
{
    struct ork_u32s seen = {0};

    for (uint32_t i = 0; i < f->num_waits; i++) {
        struct ork_rank_view v = ork_search_rank(w->d, s, f->waits[i].rank);
        if (f->waits[i].comm != NULL)
            ork_describe_add_communicator(w, v.comm, &seen, f);
    }
    for (uint32_t i = 0; i < s->num_terms; i++) {
        const struct ork_term *t = &s->term[i];
        if (t->kind != ORK_KIND_SEND && t->kind != ORK_KIND_RECV && t->kind != ORK_KIND_COLL)
            continue;
        if (t->index != UINT32_MAX && ork_describe_row(f, t->rank) != NULL)
            ork_describe_add_communicator(w, t->comm, &seen, f);
    }
}

/* None, if every rank has its own communicator. */
static struct ork_u32s members_of(struct ork_writing *w, uint32_t comm)
{
    struct ork_u32s members = {0};
    uint32_t size = ork_detector_comm(w->d, comm).size;

    for (uint32_t i = 0; i < size; i++) {
        uint32_t rank = ork_detector_comm_member(w->d, comm, i);
        if (rank != UINT32_MAX)
            ork_writing_add(w, &members, rank);
    }
    ork_describe_sort_unique(&members);
    return members;
}

/* Two communicators with one name are distinguished by their ranks, or by age (numbers ascend). */
const char *ork_describe_comm_apart(struct ork_writing *w, uint32_t comm, uint32_t other)
{
    const char *name = ork_comm_words(w, comm);

    if (comm == other || strcmp(name, ork_comm_words(w, other)) != 0)
        return name;
    struct ork_u32s members = members_of(w, comm), others = members_of(w, other);
    if (ork_describe_is_same_set(&members, &others))
        return ork_say(w, SAYS_COMM_EARLIER, TEXT('k', name), NUMBER('i', comm < other));
    return members.count == 0 ? name
                              : ork_say(w, SAYS_COMM_OF, TEXT('k', name), RANKS('r', &members));
}
