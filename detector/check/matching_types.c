/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/check/matching_types.h"

#include "detector/check/issue.h"

/* RATIONALE: a program that is wrong everywhere is shown where it is wrong first. */
enum { ISSUES_MAX = 4096 };

static bool is_about_types(const struct ork_issue *issue)
{
    return issue->kind == ORK_ISSUE_TYPE_MISMATCH || issue->kind == ORK_ISSUE_TRUNCATION ||
           issue->kind == ORK_ISSUE_COUNT_MISMATCH;
}

static bool is_same_side(const struct ork_issue_side *a, const struct ork_issue_side *b)
{
    return a->rank == b->rank && a->call.site == b->call.site && a->call.call == b->call.call;
}

static bool is_repeated(struct ork_detector *d, enum ork_issue_kind kind,
                        const struct ork_issue_side *sender, const struct ork_issue_side *receiver)
{
    uint32_t others = 0;

    for (uint32_t i = 0; i < d->issues.count; i++) {
        struct ork_issue *issue = &d->issues.issue[i];
        if (!is_about_types(issue) || issue->withdrawn)
            continue;
        others++;
        if (issue->kind == kind && is_same_side(&issue->side[0], sender) &&
            is_same_side(&issue->side[1], receiver)) {
            issue->repeats++;
            return true;
        }
    }
    return others >= ISSUES_MAX;
}

static void set_returned(struct ork_detector *d, struct ork_issue *issue)
{
    d->issues.num_returned += !issue->returned;
    issue->returned = true;
}

/* NULL: it is there already, or out of memory. */
static struct ork_issue *add(struct ork_detector *d, enum ork_issue_kind kind,
                             const struct ork_issue_side *sender,
                             const struct ork_issue_side *receiver, const struct ork_comparison *c,
                             bool returned)
{
    if (is_repeated(d, kind, sender, receiver))
        return NULL;
    struct ork_issue *issue = ork_issue_add(d, kind, sender->comm, 2);
    if (issue == NULL)
        return NULL;
    issue->side[0] = *sender;
    issue->side[1] = *receiver;
    issue->quiet = d->proc[sender->rank]->quiet || d->proc[receiver->rank]->quiet;
    if (returned && kind != ORK_ISSUE_TYPE_MISMATCH)
        set_returned(d, issue);
    issue->alike = c->match == ORK_TYPES_ALIKE;
    issue->element = c->first;
    ork_issue_add_rank(d, &issue->side[0], sender->rank);
    ork_issue_add_rank(d, &issue->side[1], receiver->rank);
    return issue;
}

/* is_packed: the number of bytes says nothing about the number of elements. */
static struct ork_comparison compare(struct ork_detector *d, struct amount sent, struct amount room,
                                     bool *is_packed)
{
    struct ork_items x, y;

    *is_packed = false;
    ork_types_get(d, sent.type);
    ork_types_get(d, room.type);
    if (!ork_types_items(d, sent, &x) || !ork_types_items(d, room, &y))
        return (struct ork_comparison){.match = ORK_TYPES_MATCH};
    *is_packed = x.sequence->signature.has_packed || y.sequence->signature.has_packed;
    return ork_items_compare(&x, &y);
}

static void report(struct ork_detector *d, const struct ork_issue_side *sender,
                   const struct ork_issue_side *receiver, bool returned)
{
    struct amount sent = amount_sent(&sender->call);
    struct amount room = amount_received(&receiver->call);
    bool is_packed;
    struct ork_comparison c = compare(d, sent, room, &is_packed);

    if (c.match != ORK_TYPES_MATCH)
        add(d, ORK_ISSUE_TYPE_MISMATCH, sender, receiver, &c, returned);
    if (sent.bytes > room.bytes && c.match != ORK_TYPES_DIFFER)
        add(d, ORK_ISSUE_TRUNCATION, sender, receiver, &c, returned);
}

bool ork_types_report_equal(struct ork_detector *d, const struct ork_issue_side *sender,
                            const struct ork_issue_side *receiver)
{
    struct amount sent = amount_sent(&sender->call);
    struct amount room = amount_received(&receiver->call);
    bool is_packed;
    struct ork_comparison c = compare(d, sent, room, &is_packed);
    bool is_wrong = c.match != ORK_TYPES_MATCH || (sent.bytes != room.bytes && !is_packed);

    if (c.match == ORK_TYPES_DIFFER || (c.match == ORK_TYPES_ALIKE && sent.bytes == room.bytes))
        add(d, ORK_ISSUE_TYPE_MISMATCH, sender, receiver, &c, false);
    else if (is_wrong)
        add(d, ORK_ISSUE_COUNT_MISMATCH, sender, receiver, &c, false);
    return is_wrong;
}

static struct ork_issue_side side_of(const struct op *op)
{
    return (struct ork_issue_side){
        .call = {.kind = op->is_send ? ORK_KIND_SEND : ORK_KIND_RECV,
                 .call = op->call,
                 .mode = op->mode,
                 .site = op->site,
                 .peer = op->peer,
                 .tag = op->tag,
                 .arg = op->type,
                 .bytes = op->bytes},
        .comm = op->comm,
        .rank = op->thread->proc->rank,
    };
}

void ork_types_report(struct ork_detector *d, const struct op *send, const struct op *receive)
{
    struct ork_issue_side sender = side_of(send);
    struct ork_issue_side receiver = side_of(receive);

    report(d, &sender, &receiver, receive->returned);
}

void ork_types_report_possible(struct ork_detector *d, const struct op *send,
                               const struct op *receive)
{
    struct ork_issue_side sender = side_of(send);
    struct ork_issue_side receiver = side_of(receive);
    bool is_packed;
    struct ork_comparison c =
        compare(d, amount_sent(&sender.call), amount_received(&receiver.call), &is_packed);
    struct ork_issue *issue =
        add(d, ORK_ISSUE_TRUNCATION, &sender, &receiver, &c, receive->returned);

    if (issue != NULL)
        issue->one_of = receive->seq;
}

void ork_types_doubt(struct proc *p, uint32_t site)
{
    for (uint32_t i = 0; i < p->d->issues.count; i++) {
        struct ork_issue *issue = &p->d->issues.issue[i];
        for (unsigned k = 0; k < issue->num_sides && is_about_types(issue); k++)
            issue->withdrawn |= issue->side[k].rank == p->rank && issue->side[k].call.site == site;
    }
}

void ork_types_returned(struct proc *p)
{
    for (uint32_t i = 0; i < p->d->issues.count; i++) {
        struct ork_issue *issue = &p->d->issues.issue[i];
        if (issue->kind == ORK_ISSUE_TRUNCATION && issue->side[1].rank == p->rank)
            set_returned(p->d, issue);
    }
}

static bool is_side(const struct ork_issue_side *side, const struct proc *p, uint32_t site)
{
    return side->rank == p->rank && side->call.site == site;
}

void ork_types_coll_returned(struct proc *p, uint32_t site)
{
    for (uint32_t i = 0; i < p->d->issues.count; i++) {
        struct ork_issue *issue = &p->d->issues.issue[i];
        if (issue->kind == ORK_ISSUE_COUNT_MISMATCH &&
            (is_side(&issue->side[0], p, site) || is_side(&issue->side[1], p, site)))
            set_returned(p->d, issue);
    }
}

bool ork_detector_elements(const struct ork_detector *d, const struct ork_record *call,
                           uint64_t element, struct ork_elements *elements)
{
    struct ork_items items;

    if (!ork_types_items(d, amount_sent(call), &items))
        return false;
    const struct ork_sequence *s = items.sequence;
    bool is_one = s->num_parts == 0 || (s->num_parts == 1 && s->part[0].sequence->num_parts == 0);
    *elements = (struct ork_elements){.count = items.count * s->signature.length,
                                      .type = ork_items_at(&items, element),
                                      .is_uniform = is_one};
    return true;
}
