/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/check/neighbors.h"

#include "detector/check/edges.h"

#include <stdlib.h>

/* True: those of the last member. */
static bool set(struct proc *p, const struct comm_ref *ref, const struct ork_record *rec,
                const uint32_t *list)
{
    struct comm *c = ref->comm;
    struct neighbors *n = malloc(sizeof(*n) + rec->count * sizeof(*n->rank));

    if (c->neighbors == NULL)
        c->neighbors = calloc(c->size, sizeof(struct neighbors *));
    if (n == NULL || c->neighbors == NULL) {
        free(n);
        p->d->failed = true;
        return false;
    }
    bool is_new = c->neighbors[ref->me] == NULL;
    c->num_neighbors += is_new;
    n->site = rec->site;
    n->call = rec->call;
    n->sources = (uint32_t)rec->arg;
    n->destinations = rec->count - n->sources;
    if (rec->count > 0)
        memcpy(n->rank, list, rec->count * sizeof(*n->rank));
    free(c->neighbors[ref->me]);
    c->neighbors[ref->me] = n;
    return is_new && c->num_neighbors == c->size;
}

void ork_neighbors_define(struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    const struct comm_ref *ref = ork_comm_ref(p, rec->comm);

    if (rec->arg > rec->count)
        ork_proc_fault(p, "a rank has more neighbours than their record");
    else if (ref != NULL && !ref->comm->self && set(p, ref, rec, list))
        ork_edges_compare(p->d, ref->comm);
}

uint32_t ork_neighbors_find(const int32_t *rank, uint32_t n, uint32_t sought, bool *is_only)
{
    uint32_t found = UINT32_MAX;

    *is_only = true;
    for (uint32_t i = 0; i < n; i++) {
        if (rank[i] < 0 || (uint32_t)rank[i] != sought)
            continue;
        *is_only = found == UINT32_MAX;
        found = i;
    }
    return found;
}
