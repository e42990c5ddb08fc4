/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives and probes, when the records that post and complete them are read. */
#include "causality/internal.h"

#include <stdlib.h>

static bool keep(struct rank *p, struct receive *r)
{
    if (!ork_vec_reserve(&p->receive, &p->receive_room, p->receives + 1, sizeof(struct receive *)))
        return false;
    p->receive[p->receives++] = r;
    return true;
}

struct receive *ork_causality_receive(struct rank *p, const struct ork_record *call, int32_t peer,
                                      int32_t tag)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);
    bool any = peer == ORK_ANY_SOURCE;
    uint32_t from = UINT32_MAX;
    struct receive *r = calloc(1, sizeof(*r));

    if (r == NULL || !keep(p, r)) {
        free(r);
        p->causality->failed = true;
        return NULL;
    }
    bool followed =
        ref.comm != NULL && tag >= ORK_ANY_TAG && (any || ork_comms_peer(ref, peer, &from));
    *r = (struct receive){.rank = p,
                          .from = from,
                          .tag = tag,
                          .is_wildcard = any || tag == ORK_ANY_TAG,
                          .takes = true,
                          .known = followed ? KNOWN_LATER : KNOWN_NEVER,
                          .site = call->site,
                          .call = call->call,
                          .position = p->positions++,
                          .slot = p->receives - 1,
                          .posted_at = NEVER,
                          .done_at = NEVER,
                          .value = NEVER};
    if (!followed)
        return r;
    r->box = ork_causality_mailbox(ref);
    struct step *s = ork_causality_step(p, STEP_POST);
    if (r->box == NULL || s == NULL)
        p->causality->failed = true;
    else
        s->receive = r;
    return r;
}

void ork_causality_outcome(struct receive *r, int32_t source, int32_t tag)
{
    if (r->known != KNOWN_LATER)
        return;
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
