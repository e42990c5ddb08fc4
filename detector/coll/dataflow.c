/* SPDX-License-Identifier: BSD-3-Clause */
/* What a collective call must wait for in every MPI implementation. */
#include "detector/coll/wave.h"

bool ork_wave_member(const struct wave *w, uint32_t process, uint32_t *member)
{
    for (uint32_t i = 0; i < w->comm->size; i++) {
        if (ork_comm_member(w->comm, process, i) == process) {
            *member = i;
            return true;
        }
    }
    return false;
}

static enum wave_needs needs_root(const struct wave *w, const struct ork_record *call)
{
    bool is_there = call->peer < 0 || (uint32_t)call->peer >= w->comm->size ||
                    ork_wave_has_arrived(w, (uint32_t)call->peer);

    return is_there ? WAVE_NEEDS_NOTHING : WAVE_NEEDS_ROOT;
}

enum wave_needs ork_wave_needs(const struct wave *w, uint32_t me, const struct ork_record *call)
{
    bool rooted_here = call->peer >= 0 && (uint32_t)call->peer == me;

    if (w->comm->inter)
        return WAVE_NEEDS_NOTHING;
    switch (ork_coll_needs(call->mode)) {
    case ORK_NEEDS_ALL:
        return WAVE_NEEDS_ALL;
    case ORK_NEEDS_DATA_OF_ALL:
        return call->bytes > 0 ? WAVE_NEEDS_ALL : WAVE_NEEDS_NOTHING;
    case ORK_NEEDS_DATA_AT_ROOT:
        return call->bytes > 0 && rooted_here ? WAVE_NEEDS_ALL : WAVE_NEEDS_NOTHING;
    case ORK_NEEDS_DATA_OF_ROOT:
        return call->bytes > 0 && !rooted_here ? needs_root(w, call) : WAVE_NEEDS_NOTHING;
    case ORK_NEEDS_DATA_OF_LOWER:
        return call->bytes > 0 ? WAVE_NEEDS_LOWER : WAVE_NEEDS_NOTHING;
    case ORK_NEEDS_NOTHING:
        break;
    }
    return WAVE_NEEDS_NOTHING;
}

static bool lacks_lower(const struct wave *w, uint32_t me)
{
    for (uint32_t i = 0; i < me; i++) {
        if (!ork_wave_has_arrived(w, i))
            return true;
    }
    return false;
}

bool ork_wave_lacks_data(const struct proc *p, const struct wave *w, const struct ork_record *call)
{
    uint32_t me;

    if (w->issue != 0 || ork_wave_is_complete(w))
        return false;
    if (w->first.mode == ORK_COLL_INTERCOMM_CREATE) /* the leaders know both groups */
        return !ork_wave_is_joined(w) && (w->leader != p->rank || w->leader_pair != NULL);
    if (!ork_wave_member(w, p->rank, &me))
        return false;
    switch (ork_wave_needs(w, me, call)) {
    case WAVE_NEEDS_ALL:
        return w->arrived < ork_wave_size(w);
    case WAVE_NEEDS_ROOT:
        return true;
    case WAVE_NEEDS_LOWER:
        return lacks_lower(w, me);
    case WAVE_NEEDS_NOTHING:
        break;
    }
    return false;
}
