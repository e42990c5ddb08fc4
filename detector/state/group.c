/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups in records: strided runs (first, stride, count) of processes. */
#include "detector/state/state.h"

#include <stdlib.h>

bool ork_runs_are_valid(const struct ork_detector *d, const uint32_t *list, uint32_t runs,
                        uint32_t *size)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < runs; i++) {
        uint32_t first = list[3 * i];
        int64_t stride = (int32_t)list[3 * i + 1];
        uint32_t count = list[3 * i + 2];
        if (count == 0 || count > d->nprocs || first >= d->nprocs)
            return false;
        int64_t last = (int64_t)first + stride * ((int64_t)count - 1);
        if (last < 0 || last >= (int64_t)d->nprocs)
            return false;
        total += count;
    }
    *size = (uint32_t)total;
    return total <= d->nprocs;
}

void ork_runs_expand(const uint32_t *list, uint32_t runs, uint32_t *member)
{
    for (uint32_t i = 0; i < runs; i++) {
        for (uint32_t k = 0; k < list[3 * i + 2]; k++)
            *member++ = list[3 * i] + (uint32_t)((int32_t)list[3 * i + 1] * (int32_t)k);
    }
}

bool ork_runs_find(const uint32_t *list, uint32_t runs, uint32_t process, uint32_t *position)
{
    uint32_t before = 0;

    for (uint32_t i = 0; i < runs; i++) {
        int64_t stride = (int32_t)list[3 * i + 1];
        int64_t off = (int64_t)process - (int64_t)list[3 * i];
        int64_t k = stride == 0 ? 0 : off / stride;
        if (k >= 0 && k < (int64_t)list[3 * i + 2] && k * stride == off) {
            *position = before + (uint32_t)k;
            return true;
        }
        before += list[3 * i + 2];
    }
    return false;
}

bool ork_layout_of(struct proc *p, const struct ork_record *rec, const uint32_t *list,
                   struct layout *l)
{
    uint32_t runs = rec->count / 3;
    uint32_t local_runs = rec->arg2 < runs ? rec->arg2 : runs;
    uint32_t local, remote = 0;

    *l = (struct layout){.inter = (rec->flags & ORK_F_INTER) != 0};
    if (!l->inter)
        local_runs = runs;
    if (rec->count % 3 != 0 || local_runs == 0 ||
        !ork_runs_are_valid(p->d, list, local_runs, &local) ||
        !ork_runs_are_valid(p->d, list + 3 * (size_t)local_runs, runs - local_runs, &remote) ||
        !ork_runs_find(list, local_runs, p->rank, &l->me) || (l->inter && remote == 0))
        return false;
    l->size = local + remote;
    l->swapped = l->inter && list[3 * (size_t)local_runs] < list[0];
    l->local = l->swapped ? remote : local;
    if (l->swapped)
        l->me += remote;
    ORK_ASSERT(l->me < l->size && l->local <= l->size);
    return true;
}

uint32_t *ork_layout_members(struct ork_detector *d, const struct ork_record *rec,
                             const uint32_t *list, const struct layout *l)
{
    uint32_t *member = malloc(l->size * sizeof(*member));
    uint32_t runs = rec->count / 3;
    uint32_t local_runs = l->inter ? rec->arg2 : runs;
    uint32_t here = l->swapped ? l->local : 0;
    uint32_t there = l->swapped ? 0 : l->local;

    if (member == NULL) {
        d->failed = true;
        return NULL;
    }
    ork_runs_expand(list, local_runs, member + here);
    if (l->inter)
        ork_runs_expand(list + 3 * (size_t)local_runs, runs - local_runs, member + there);
    return member;
}

bool ork_comm_is_outside(const struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    uint32_t size, position;

    return rec->count % 3 == 0 && ork_runs_are_valid(p->d, list, rec->count / 3, &size) &&
           !ork_runs_find(list, rec->count / 3, p->rank, &position);
}
