/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/check/matching_types.h"

#include "detector/check/issue.h"
#include "detector/check/outcome.h"
#include "detector/check/pattern_users.h"

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

/* *found: its number. */
static bool is_repeated(struct ork_detector *d, enum ork_issue_kind kind,
                        const struct ork_issue_side *sender, const struct ork_issue_side *receiver,
                        uint32_t *found)
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
            issue->side[0].wave = sender->wave; /* the latest time */
            issue->side[1].wave = receiver->wave;
            issue->has_other_tags |= issue->side[0].call.tag != sender->call.tag;
            *found = i;
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

/* Returns its number; UINT32_MAX: there are too many, or memory ran out. */
static uint32_t add(struct ork_detector *d, enum ork_issue_kind kind,
                    const struct ork_issue_side *sender, const struct ork_issue_side *receiver,
                    const struct ork_comparison *c, bool returned)
{
    uint32_t found = UINT32_MAX;

    if (is_repeated(d, kind, sender, receiver, &found))
        return found;
    struct ork_issue *issue = ork_issue_add(d, kind, sender->comm, 2);
    if (issue == NULL)
        return UINT32_MAX;
    issue->side[0] = *sender;
    issue->side[1] = *receiver;
    issue->quiet = d->proc[sender->rank]->quiet || d->proc[receiver->rank]->quiet;
    if (returned && kind != ORK_ISSUE_TYPE_MISMATCH)
        set_returned(d, issue);
    issue->alike = c->match == ORK_TYPES_ALIKE;
    issue->element = c->first;
    ork_issue_add_rank(d, &issue->side[0], sender->rank);
    ork_issue_add_rank(d, &issue->side[1], receiver->rank);
    return d->issues.count - 1;
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
    struct amount sent = {send->bytes, send->type};
    struct amount room = {receive->bytes, receive->type};
    bool is_longer = sent.bytes > room.bytes;
    uint32_t issue = UINT32_MAX;
    bool is_packed;

    if (is_longer && ork_outcome_is_success(receive)) {
        d->issues.pairs_left_out = true;
        return;
    }
    struct ork_comparison c = compare(d, sent, room, &is_packed);
    if (c.match != ORK_TYPES_MATCH) {
        issue = add(d, ORK_ISSUE_TYPE_MISMATCH, &sender, &receiver, &c, receive->returned);
        if (is_longer && issue != UINT32_MAX)
            ork_outcome_await(d, issue, receive);
    }
    if (is_longer && c.match != ORK_TYPES_DIFFER) {
        issue = add(d, ORK_ISSUE_TRUNCATION, &sender, &receiver, &c, receive->returned);
        if (issue != UINT32_MAX)
            ork_outcome_await(d, issue, receive);
    }
}

static bool is_of_message(const struct ork_issue *issue)
{
    return (issue->kind == ORK_ISSUE_TYPE_MISMATCH || issue->kind == ORK_ISSUE_TRUNCATION) &&
           issue->side[0].call.kind == ORK_KIND_SEND;
}

static bool may_have_tag(const struct ork_issue *issue, int32_t tag)
{
    return tag == ORK_ANY_TAG || issue->has_other_tags || issue->side[0].call.tag == tag;
}

void ork_types_look_again(struct proc *p, int32_t tag)
{
    struct ork_detector *d = p->d;

    for (uint32_t i = 0; i < d->issues.count; i++) {
        struct ork_issue *issue = &d->issues.issue[i];
        const struct ork_issue_side *from = &issue->side[0], *to = &issue->side[1];
        if (issue->kind == ORK_ISSUE_RSEND && may_have_tag(issue, tag))
            issue->withdrawn = true;
        if (issue->withdrawn || !is_of_message(issue) || !may_have_tag(issue, tag) ||
            (from->rank != p->rank && to->rank != p->rank))
            continue;
        issue->withdrawn |=
            issue->has_other_tags ||
            !ork_pattern_has_one_user(d, from->comm, from->rank, to->rank, from->call.tag);
        d->issues.pairs_left_out |= issue->withdrawn;
    }
}

void ork_types_report_possible(struct ork_detector *d, const struct op *send,
                               const struct op *receive)
{
    struct ork_issue_side sender = side_of(send);
    struct ork_issue_side receiver = side_of(receive);
    bool is_packed;
    struct ork_comparison c =
        compare(d, amount_sent(&sender.call), amount_received(&receiver.call), &is_packed);
    uint32_t next = d->issues.count;

    if (add(d, ORK_ISSUE_TRUNCATION, &sender, &receiver, &c, receive->returned) == next)
        d->issues.issue[next].one_of = receive->seq;
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
