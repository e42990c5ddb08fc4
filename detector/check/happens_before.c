/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process may know of other processes: events of the detector's order up to a certain one.
 * This may include events that the process does not know, but never omits one that it knows
 * (docs/explanation/detector.md). */
#include "detector/check/happens_before.h"

void ork_seen_everything(struct proc *p)
{
    p->seen_up_to = ++p->d->seq;
}

void ork_seen_by_collective(struct proc *p, const struct comm *c, uint64_t seq)
{
    ORK_ASSERT(seq <= p->d->seq); /* it has happened already */
    p->seen_up_to = seq > p->seen_up_to ? seq : p->seen_up_to;
    p->window_inspected &= c->self || c->size < p->job->size;
}

void ork_seen_by_receive(struct proc *p, const struct op *s)
{
    ork_seen_everything(p);
    if (p->found.is_one && p->found.comm == s->comm && p->found.tag == s->tag &&
        p->found.source == s->thread->proc->rank)
        p->found.is_one = false;
    if (s->mode == ORK_SEND_SYNCHRONOUS) /* its sender then knows that the receive has started */
        s->thread->proc->seen_up_to = p->seen_up_to;
}

void ork_seen_by_probe(struct proc *p, const struct comm *c, uint32_t source, int32_t tag,
                       bool is_there)
{
    ork_seen_everything(p);
    if (is_there)
        return;
    p->found.are_more |= p->found.is_one && (p->found.comm != c->id || p->found.source != source ||
                                             p->found.tag != tag);
    p->found.is_one = true;
    p->found.comm = c->id;
    p->found.source = source;
    p->found.tag = tag;
}

uint64_t ork_seen_at_lock(const struct proc *p)
{
    bool is_known = !p->depends_on_buffering && p->num_unconfirmed == 0 && !p->found.is_one &&
                    !p->found.are_more;

    return is_known ? p->seen_up_to : UINT64_MAX;
}

uint64_t ork_seen_at_send(const struct proc *p)
{
    return p->lock != NULL || p->window_inspected ? UINT64_MAX : ork_seen_at_lock(p);
}
