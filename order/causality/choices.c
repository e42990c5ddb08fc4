/* SPDX-License-Identifier: BSD-3-Clause */
/* Choices as they are passed on, and the calls that decided them. */
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

/* ---- what decided them ---- */

static bool take_messages(const struct choice *c, struct ork_causal_choice described,
                          ork_choice_take *take, void *context)
{
    uint32_t completed = c->has_array ? c->count : c->ops;
    bool has_message = false, goes_on = true;

    for (uint32_t i = 0; i < completed && goes_on; i++) {
        const struct op *op = &c->op[c->has_array ? c->index[i] : i];
        const struct receive *r = op->type == OP_RECEIVE ? op->receive : NULL;
        if (r == NULL || r->known != KNOWN || r->message == NULL)
            continue;
        struct ork_causal_choice of = ork_causality_describe_receive(r);
        described.sender = of.sender;
        described.send_site = of.send_site;
        described.send_call = of.send_call;
        has_message = true;
        goes_on = take(context, &described);
    }
    return has_message ? goes_on : take(context, &described);
}

static bool take_lock(const struct choice *c, struct ork_causal_choice described,
                      ork_choice_take *take, void *context)
{
    const struct section *latest = NULL, *s = NULL;

    while (c->section->granted != 0 && (s = ork_causality_section_before(c->section, s)) != NULL) {
        if (latest == NULL || s->granted > latest->granted)
            latest = s;
    }
    if (latest != NULL && latest->choice != NULL) {
        described.sender = latest->rank->number;
        described.send_site = latest->site;
        described.send_call = latest->choice->call;
    }
    return take(context, &described);
}

static bool take_decider(const struct rank *p, const struct choice *c, ork_choice_take *take,
                         void *context)
{
    struct ork_causal_choice described = ork_causality_describe_choice(p, c);

    if (c->receive != NULL)
        return take(context, &described);
    described.post_call = c->call;
    described.post_site = c->site;
    return c->section != NULL ? take_lock(c, described, take, context)
                              : take_messages(c, described, take, context);
}

void ork_causality_deciders(const struct ork_causality *c, ork_choice_take *take, void *context)
{
    for (uint32_t r = 0; r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        for (uint32_t i = 0; i < p->choices; i++) {
            if (!take_decider(p, p->choice[i], take, context))
                return;
        }
    }
}
