/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that the rank was told of, as interceptor/forcing/told.c uses them; or not, as chance
 * has it: the outcome is the same. */
#include "tests/fuzz/arbiter/calls.h"

static uint32_t serial_of(void *context, uint32_t id)
{
    const struct process *p = context;

    return p->slot[id].op;
}

void process_told_read(struct process *p, const struct ork_decision *d)
{
    ork_upcoming_read(&p->told_of, d, serial_of, p);
}

void process_told_sent(struct process *p, uint32_t to)
{
    if (to == p->rank)
        ork_upcoming_drop(&p->told_of);
}

static uint32_t find(const struct process *p, uint32_t comm, int32_t peer, int32_t tag)
{
    return ork_upcoming_find(&p->told_of, comm, peer == ORK_ANY_SOURCE ? -1 : peer,
                             tag == ORK_ANY_TAG ? -1 : tag);
}

/* RATIONALE: a receive that does not use what is known of its message must not leave it in the
 * list. */
static bool uses(struct process *p)
{
    if (wfg_random_percent(p->random, 20))
        ork_upcoming_drop(&p->told_of);
    return p->told_of.is_on;
}

void process_told_receive(struct process *p, struct op *op, uint32_t comm, int32_t peer,
                          int32_t tag)
{
    enum verb verb = p->pc < p->library->p->steps[p->rank] ? process_step_of(p)->verb : VERB_MAX;
    bool blocks = verb == VERB_RECV || verb == VERB_SENDRECV;

    p->post_is = uses(p) && comm == p->told_of.comm;
    p->post_place = p->post_is ? find(p, comm, peer, tag) : ORK_UPCOMING_LATER;
    if (blocks) {
        ork_upcoming_receive(&p->told_of, p->post_place);
    } else if (p->post_is && peer == ORK_ANY_SOURCE &&
               !ork_upcoming_is_certain(&p->told_of, p->post_place)) {
        ork_upcoming_drop(&p->told_of);
        p->post_is = false;
        p->post_place = ORK_UPCOMING_LATER;
    }
    p->post_is_any = p->post_place != ORK_UPCOMING_LATER && peer == ORK_ANY_SOURCE;
    if (p->post_place == ORK_UPCOMING_LATER)
        return;
    const struct ork_upcoming_message *m = &p->told_of.message[p->post_place];
    ork_upcoming_take(&p->told_of, p->post_place);
    if (peer != ORK_ANY_SOURCE)
        return;
    p->post_source = m->source;
    p->post_tag = m->tag;
    op->decided = true;
    op->source = process_world_of(p, comm, m->source);
    op->tag = m->tag;
}

void process_told_posted(struct process *p, uint32_t slot)
{
    if (!p->post_is)
        return;
    ork_upcoming_post(&p->told_of, slot, p->slot[slot].op, p->post_place);
    if (p->post_is_any)
        process_put(p,
                    (struct ork_record){.kind = ORK_KIND_ASK,
                                        .mode = ORK_ASK_TAKEN,
                                        .comm = p->told_of.comm,
                                        .request = slot,
                                        .peer = p->post_source,
                                        .tag = p->post_tag,
                                        .bytes = p->told},
                    NULL, 0);
}

void process_told_cancels(struct process *p, uint32_t slot)
{
    ork_upcoming_forget(&p->told_of, slot);
}

bool process_told_probe(struct process *p, const struct step *s)
{
    uint32_t place = uses(p) ? find(p, s->comm, s->peer, s->tag) : ORK_UPCOMING_LATER;

    if (place == ORK_UPCOMING_LATER)
        return false;
    ork_upcoming_receive(&p->told_of, place);
    if (s->verb == VERB_MPROBE)
        ork_upcoming_take(&p->told_of, place);
    p->answer = (struct ork_decision){.decided = ORK_DECIDED_PROBE,
                                      .source = p->told_of.message[place].source,
                                      .tag = p->told_of.message[place].tag};
    p->answered = true;
    p->asks++; /* so no answer to the latest question comes any more */
    return true;
}

bool process_told_index(struct process *p, const uint32_t *slot, uint32_t n)
{
    uint32_t best = ORK_UPCOMING_LATER, index = 0, place = 0;

    if (!uses(p))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct slot *s = &p->slot[slot[i]];
        if (!s->active)
            continue;
        if (!ork_upcoming_place_of(&p->told_of, slot[i], s->op, &place))
            return false;
        if (place < best) {
            best = place;
            index = i;
        }
    }
    if (best == ORK_UPCOMING_LATER)
        return false;
    ork_upcoming_receive(&p->told_of, best);
    p->answer = (struct ork_decision){.decided = ORK_DECIDED_INDEX, .source = (int32_t)index};
    p->answered = true;
    p->asks++; /* so no answer to the latest question comes any more */
    return true;
}
