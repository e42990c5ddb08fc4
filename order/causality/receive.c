/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives and probes, when the records that post and complete them are read. */
#include "order/causality/internal.h"

#include <stdlib.h>

static bool keep(struct rank *p, struct receive *r)
{
    if (!ork_vec_reserve(&p->receive, &p->receive_room, p->receives + 1, sizeof(struct receive *)))
        return false;
    p->receive[p->receives++] = r;
    return true;
}

/* Source and tag; without a mailbox, if it is not followed. */
static void address(struct receive *r, const struct ork_record *call, int32_t peer, int32_t tag)
{
    struct rank *p = r->rank;
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);
    bool any = peer == ORK_ANY_SOURCE;

    r->from = UINT32_MAX;
    r->tag = tag;
    r->is_wildcard = any || tag == ORK_ANY_TAG;
    if (ref.comm == NULL || tag < ORK_ANY_TAG || (!any && !ork_comms_peer(ref, peer, &r->from)))
        return;
    r->box = ork_causality_mailbox(ref);
    p->causality->failed |= r->box == NULL;
}

struct receive *ork_causality_receive(struct rank *p, const struct ork_record *call, int32_t peer,
                                      int32_t tag)
{
    struct receive *r = calloc(1, sizeof(*r));

    if (r == NULL || !keep(p, r)) {
        free(r);
        p->causality->failed = true;
        return NULL;
    }
    *r = (struct receive){.rank = p,
                          .takes = true,
                          .site = call->site,
                          .call = call->call,
                          .position = p->positions++,
                          .slot = p->receives - 1,
                          .posted_at = NEVER,
                          .done_at = NEVER,
                          .value = NEVER};
    ORK_ASSERT(p->receive[r->slot] == r);
    address(r, call, peer, tag);
    r->known = r->box != NULL ? KNOWN_LATER : KNOWN_NEVER;
    struct step *s = r->box != NULL ? ork_causality_step(p, STEP_POST) : NULL;
    if (s != NULL)
        s->receive = r;
    return r;
}

struct receive *ork_causality_unsuccessful_probe(struct rank *p, const struct ork_record *call)
{
    struct receive *r = calloc(1, sizeof(*r));

    if (r == NULL) {
        p->causality->failed = true;
        return NULL;
    }
    *r = (struct receive){.rank = p,
                          .is_probe = true,
                          .takes = (call->flags & ORK_F_MATCHED) != 0,
                          .position = p->positions};
    address(r, call, call->peer, call->tag);
    return r;
}

void ork_causality_outcome(struct receive *r, int32_t source, int32_t tag)
{
    if (r->known != KNOWN_LATER)
        return;
    ORK_ASSERT(!r->posted);
    if (!r->is_wildcard) {
        r->got_from = r->from;
        r->got_tag = r->tag;
        r->known = KNOWN;
        return;
    }
    bool valid = tag >= 0 && ork_comms_peer(r->box->ref, source, &r->got_from) &&
                 ork_causality_fits(r, r->got_from, tag);
    r->got_tag = tag;
    r->known = valid ? KNOWN : KNOWN_NEVER;
    r->rank->causality->is_uncertain |= !valid;
}
