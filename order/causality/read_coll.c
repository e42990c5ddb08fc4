/* SPDX-License-Identifier: BSD-3-Clause */
/* The collective calls of a rank as steps, and the starts of persistent ones. */
#include "order/causality/internal.h"

/* Of those who call it together. */
static struct ork_comm_ref callers_of(struct rank *p, const struct ork_record *call)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);

    if (call->mode == ORK_COLL_COMM_CREATE_GROUP &&
        ork_comms_of_group(p->causality->comms, p->number, call, p->call_list, &ref) != ORK_OK)
        p->causality->failed = true;
    return ref;
}

/* It calls the next operation of the series. */
static struct part *arrive(struct rank *p, struct ork_comm_ref ref, struct series *series,
                           const struct ork_record *call, const uint32_t *list)
{
    struct part *part = ork_causality_part(p, ref, series, call, list);
    struct step *s = part == NULL ? NULL : ork_causality_step(p, STEP_ARRIVE);

    if (s == NULL) {
        ork_causality_part_destroy(part);
        return NULL;
    }
    s->part = part;
    return part;
}

/* NULL: not followed, the call fails, or out of memory. */
static struct part *call_coll(struct rank *p, const struct ork_record *call)
{
    struct ork_comm_ref ref = callers_of(p, call);

    if (ref.comm == NULL || !ork_comms_has_root(ref.comm, call))
        return NULL;
    struct place *place = ref.comm->state;
    return arrive(p, ref, &place->calls, call, p->call_list);
}

/* ---- persistent operations ---- */

/* RATIONALE: the call that makes it may return at once (MPI-4.0 section 6.13). */
static void make_persistent_coll(struct rank *p, const struct ork_record *call)
{
    struct ork_comm_ref ref = callers_of(p, call);
    struct made *made = ork_causality_make_persistent(p, call);

    if (made == NULL || ref.comm == NULL || !ork_comms_has_root(ref.comm, call))
        return;
    struct place *place = ref.comm->state;
    made->ref = ref;
    made->index = place->persistent[ref.me]++;
}

/* NULL: not followed, or out of memory. RATIONALE: members may start several operations in
 * different orders. */
static struct series *starts_of(struct rank *p, const struct made *made)
{
    struct series *series =
        made->ref.comm == NULL ? NULL : ork_causality_starts(made->ref.comm, made->index);

    p->causality->failed |= made->ref.comm != NULL && series == NULL;
    return series;
}

void ork_causality_free_coll(struct rank *p, const struct made *made)
{
    struct series *series = starts_of(p, made);

    if (series != NULL)
        ork_causality_starts_end(made->ref.comm, series);
}

struct op ork_causality_start_coll(struct rank *p, const struct made *made)
{
    struct series *series = starts_of(p, made);
    struct part *part =
        series == NULL ? NULL : arrive(p, made->ref, series, &made->record, made->list);

    p->causality->is_uncertain |= p->has_window && part == NULL;
    return (struct op){.type = OP_COLL, .part = part};
}

/* ---- all collective calls ---- */

/* Does it order members in a way that is not followed? RATIONALE: before a rank has windows, this
 * does not matter to the user of events.h. */
static bool hides_order(const struct rank *p, const struct ork_record *call,
                        const struct part *part)
{
    bool is_followed = call->mode == ORK_COLL_COMM_CREATE_GROUP && part != NULL;

    return p->has_window && !is_followed &&
           ork_coll_has(call->mode, ORK_HAS_OWN_GROUP | ORK_IS_DYNAMIC);
}

void ork_causality_read_coll(struct rank *p, const struct ork_record *call)
{
    if (call->mode == ORK_COLL_NONE || call->mode >= ORK_COLL_MAX) {
        ork_causality_lose(p, "its records are invalid");
        return;
    }
    if (call->flags & ORK_F_PERSISTENT) {
        p->causality->is_uncertain |= hides_order(p, call, NULL);
        make_persistent_coll(p, call);
        return;
    }
    if (call->mode == ORK_COLL_WIN_FENCE || call->mode == ORK_COLL_WIN_FREE)
        ork_causality_listen(p, call, NULL);
    struct part *part = call_coll(p, call);
    p->causality->is_uncertain |= hides_order(p, call, part);
    if (call->flags & ORK_F_NONBLOCKING)
        ork_causality_make_request(p, call->request, (struct op){.type = OP_COLL, .part = part});
    else
        p->part = part;
}
