/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that a user follows, see events.h; and what a member of a collective call may know of the
 * others. */
#include "causality/internal.h"

#include <stdlib.h>

void ork_causality_listen(struct rank *p, const struct ork_record *record, const uint32_t *list)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, record->comm);

    if (p->causality->user == NULL)
        return;
    if (ref.comm == NULL) {
        ork_causality_lose(p, "it uses a window that is not followed");
        return;
    }
    struct step *s = ork_causality_step(p, STEP_CALL);
    struct call *call = s == NULL ? NULL : malloc(sizeof(*call) + record->count * sizeof(*list));
    if (call == NULL) {
        p->causality->failed = true;
        return;
    }
    call->ref = ref;
    call->record = *record;
    if (record->count > 0)
        memcpy(call->list, list, record->count * sizeof(*list));
    s->call = call;
}

bool ork_causality_follow_call(struct rank *p, const struct call *call)
{
    const struct ork_events_user *user = p->causality->user;

    return user->call(user->context, p->number, call->ref, &call->record, call->list);
}

/* ---- collective calls ---- */

/* From which members can it have got data, if it is in an intracommunicator? */
static enum merges merges_inside(const struct ork_record *call, bool at_root)
{
    switch (call->mode) {
    case ORK_COLL_BCAST:
    case ORK_COLL_SCATTER:
    case ORK_COLL_SCATTERV:
        return at_root || call->peer < 0 ? MERGES_NOTHING : MERGES_ROOT;
    case ORK_COLL_GATHER:
    case ORK_COLL_GATHERV:
    case ORK_COLL_REDUCE:
        return at_root ? MERGES_ALL : MERGES_NOTHING;
    case ORK_COLL_SCAN:
    case ORK_COLL_EXSCAN:
        return MERGES_LOWER;
    default:
        return MERGES_ALL;
    }
}

/* The same in an intercommunicator, where the root passes ORK_ROOT. */
static enum merges merges_across(const struct ork_record *call)
{
    switch (call->mode) {
    case ORK_COLL_BCAST:
    case ORK_COLL_SCATTER:
    case ORK_COLL_SCATTERV:
        return call->peer >= 0 ? MERGES_REMOTE : MERGES_NOTHING;
    case ORK_COLL_GATHER:
    case ORK_COLL_GATHERV:
    case ORK_COLL_REDUCE:
        return call->peer == ORK_ROOT ? MERGES_REMOTE : MERGES_NOTHING;
    default:
        return ork_coll_has(call->mode, ORK_IS_OPERATION) ? MERGES_REMOTE : MERGES_ALL;
    }
}

enum merges ork_causality_may_merge(struct ork_comm_ref ref, const struct ork_record *call)
{
    bool at_root = call->peer >= 0 && (uint32_t)call->peer == ref.me;

    /* they order nothing that a program may rely on, and a member may be late */
    if (ork_coll_has(call->mode, ORK_IS_LOCAL) || call->mode == ORK_COLL_COMM_FREE ||
        call->mode == ORK_COLL_COMM_DISCONNECT)
        return MERGES_NOTHING;
    return ref.comm->group->inter ? merges_across(call) : merges_inside(call, at_root);
}
