/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process may know of others: up to which event of the detector's order. It may be said to
 * know what it does not, never the other way round (docs/explanation/detector.md). */
#include "detector/check/knowledge.h"

void ork_knowledge_until_now(struct proc *p)
{
    p->incoming = ++p->d->seq;
}

void ork_knowledge_gathered(struct proc *p, const struct comm *c, uint64_t seq)
{
    p->incoming = seq > p->incoming ? seq : p->incoming;
    p->looked &= c->self || c->size < p->job->size;
}

void ork_knowledge_received(struct proc *p, const struct op *s)
{
    ork_knowledge_until_now(p);
    if (p->found.is_one && p->found.comm == s->comm && p->found.tag == s->tag &&
        p->found.source == s->strand->proc->rank)
        p->found.is_one = false;
    if (s->mode == ORK_SEND_SYNCHRONOUS) /* its sender learns that the receive has started */
        s->strand->proc->incoming = p->incoming;
}

void ork_knowledge_found(struct proc *p, const struct comm *c, uint32_t source, int32_t tag,
                         bool is_there)
{
    ork_knowledge_until_now(p);
    if (is_there)
        return;
    p->found.are_more |= p->found.is_one && (p->found.comm != c->id || p->found.source != source ||
                                             p->found.tag != tag);
    p->found.is_one = true;
    p->found.comm = c->id;
    p->found.source = source;
    p->found.tag = tag;
}

uint64_t ork_knowledge_at_lock(const struct proc *p)
{
    bool is_known = !p->qualified && p->debts == 0 && !p->found.is_one && !p->found.are_more;

    return is_known ? p->incoming : UINT64_MAX;
}

uint64_t ork_knowledge_at_send(const struct proc *p)
{
    return p->lock != NULL || p->looked ? UINT64_MAX : ork_knowledge_at_lock(p);
}
