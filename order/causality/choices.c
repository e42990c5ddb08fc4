/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices as they are passed on. */
#include "order/causality/internal.h"

struct ork_causal_choice ork_causality_describe_receive(const struct receive *r)
{
    const struct choice *c = r->choice;
    const struct message *m = r->message;

    return (struct ork_causal_choice){.kind = r->is_probe ? ORK_CHOICE_PROBE : ORK_CHOICE_RECEIVE,
                                      .rank = r->rank->number,
                                      .number = c != NULL ? c->number : 0,
                                      .post = r->post,
                                      .site = c != NULL ? c->site : 0,
                                      .post_site = r->site,
                                      .post_call = r->call,
                                      .source = ork_comms_peer_of(r->box->ref, r->got_from),
                                      .tag = r->got_tag,
                                      .sender = ork_comms_rank_of(r->box->ref.comm, r->got_from),
                                      .send_site = m != NULL ? m->site : 0,
                                      .send_call = m != NULL ? m->call : 0};
}

struct ork_causal_choice ork_causality_describe_choice(const struct rank *p, const struct choice *c)
{
    const struct receive *r = c->receive;

    if (r != NULL && r->known == KNOWN)
        return ork_causality_describe_receive(r);
    return (struct ork_causal_choice){.kind = c->kind,
                                      .rank = p->number,
                                      .number = c->number,
                                      .post = c->post,
                                      .site = c->site,
                                      .post_site = r != NULL ? r->site : c->site,
                                      .source = c->source,
                                      .tag = c->tag,
                                      .sender = UINT32_MAX};
}

void ork_causality_choices(const struct ork_causality *c, ork_choice_take *take, void *context)
{
    for (uint32_t r = 0; r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        for (uint32_t i = 0; i < p->choices; i++) {
            struct ork_causal_choice choice = ork_causality_describe_choice(p, p->choice[i]);
            if (!take(context, &choice))
                return;
        }
    }
}
