/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that a user follows, see events.h; and what a member of a collective call may know of the
 * others. */
#include "order/causality/internal.h"
#include "record/access.h"

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

/* ---- why events are ordered ---- */

static const struct ork_events_user *listener(const struct rank *p)
{
    const struct ork_events_user *user = p->causality->user;

    return user != NULL && user->act != NULL ? user : NULL;
}

/* Can a rank learn something when this step is over? */
static bool may_learn(const struct step *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct op *op = &s->op[i];
        if (op->type == OP_RECEIVE || op->type == OP_COLL || op->type == OP_ACCESS ||
            (op->type == OP_SEND && op->message != NULL && op->message->is_synchronous))
            return true;
    }
    return false;
}

static bool is_event(const struct ork_record *record)
{
    bool is_buffer = record->kind == ORK_KIND_TOUCH && (record->mode & ORK_TOUCH_IS_BUFFER) != 0;

    return record->kind != ORK_KIND_WIN_MEMORY && record->kind != ORK_KIND_WIN_REGION &&
           record->kind != ORK_KIND_FILE_ACCESS && !is_buffer;
}

void ork_causality_act(struct rank *p, const struct step *s)
{
    const struct ork_events_user *user = listener(p);
    struct ork_event_call at = s->at;

    if (user == NULL || (s->type == STEP_RETURN && !may_learn(s)))
        return;
    if (s->type == STEP_CALL && !is_event(&s->call->record))
        return;
    if (s->type == STEP_CALL) {
        at.site = s->call->record.site;
        at.call = s->call->record.call;
    }
    p->mark = user->act(user->context, p->number, &at);
}

void ork_causality_learn(const struct rank *p, uint32_t from, uint64_t mark)
{
    const struct ork_events_user *user = listener(p);

    if (user != NULL)
        user->learn(user->context, p->number, from, mark);
}

void ork_causality_learn_message(const struct rank *p, const struct message *m)
{
    if (m != NULL)
        ork_causality_learn(p, m->channel->rank, m->mark);
}

void ork_causality_learn_all(const struct rank *p, uint64_t wave)
{
    const struct ork_events_user *user = listener(p);

    if (user != NULL)
        user->learn_all(user->context, p->number, wave);
}

void ork_causality_tell_arrival(const struct rank *p, uint64_t wave)
{
    const struct ork_events_user *user = listener(p);

    if (user != NULL)
        user->arrive(user->context, p->number, wave);
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
