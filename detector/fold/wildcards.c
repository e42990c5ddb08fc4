/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives with a wildcard that are pending while other receives are posted. RATIONALE: if a
 * receive that is posted later could take the same message, the detector may know its match first.
 * Whether it then notes that the earlier one was overtaken depends on the order in which the
 * records of other ranks come, and what is kept back comes in another order. Receives with equal
 * wildcards are matched when they complete, so they may be pending together if they complete in
 * their order. */
#include "detector/fold/period.h"

#include "detector/detector.h"

#include <string.h>

enum { PENDING_MAX = 64 };

/* A nonblocking receive, in the order in which they were posted. */
struct posted {
    uint32_t request, comm;
    int32_t source, tag;
    bool is_over;
};

/* What a rank that repeats the block has posted. */
struct receives {
    const struct ork_record *block;
    uint32_t n;
    const struct ork_persistent_receives *made; /* NULL: unknown */
    uint32_t wait;                              /* the latest WAIT; n: none */
    uint32_t num;
    bool is_overtaken; /* or too many, or unknown */
    struct posted pending[PENDING_MAX];
};

static bool is_wildcard(int32_t source, int32_t tag)
{
    return source == ORK_ANY_SOURCE || tag == ORK_ANY_TAG;
}

/* Word k of the list of record i. */
static uint32_t word_of(const struct receives *r, uint32_t i, uint32_t k)
{
    struct ork_cont cont;
    uint32_t at = i + 1 + k / ORK_CONT_WORDS;

    if (at >= r->n || r->block[at].kind != ORK_KIND_CONT)
        return UINT32_MAX;
    memcpy(&cont, &r->block[at], sizeof(cont));
    return cont.word[k % ORK_CONT_WORDS];
}

static bool overlaps(const struct posted *p, uint32_t comm, int32_t source, int32_t tag)
{
    return p->comm == comm &&
           (p->source == ORK_ANY_SOURCE || source == ORK_ANY_SOURCE || p->source == source) &&
           (p->tag == ORK_ANY_TAG || tag == ORK_ANY_TAG || p->tag == tag);
}

/* A receive that was posted after the first `earlier` ones completes, or a probe looks. */
static void complete(struct receives *r, uint32_t earlier, uint32_t comm, int32_t source,
                     int32_t tag)
{
    for (uint32_t i = 0; i < earlier; i++) {
        const struct posted *p = &r->pending[i];
        r->is_overtaken |=
            !p->is_over && is_wildcard(p->source, p->tag) && overlaps(p, comm, source, tag);
    }
}

static void remove_complete(struct receives *r)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < r->num; i++) {
        const struct posted p = r->pending[i];
        if (p.is_over)
            complete(r, i, p.comm, p.source, p.tag);
    }
    for (uint32_t i = 0; i < r->num; i++) {
        if (!r->pending[i].is_over)
            r->pending[kept++] = r->pending[i];
    }
    r->num = kept;
}

static void complete_request(struct receives *r, uint32_t request)
{
    for (uint32_t i = 0; i < r->num; i++)
        r->pending[i].is_over |= r->pending[i].request == request;
}

static void post(struct receives *r, const struct ork_record *rec)
{
    if ((rec->flags & ORK_F_NONBLOCKING) == 0) {
        complete(r, r->num, rec->comm, rec->peer, rec->tag);
        return;
    }
    for (uint32_t i = 0; i < r->num; i++)
        r->is_overtaken |= is_wildcard(r->pending[i].source, r->pending[i].tag) &&
                           (rec->peer != r->pending[i].source || rec->tag != r->pending[i].tag) &&
                           overlaps(&r->pending[i], rec->comm, rec->peer, rec->tag);
    r->is_overtaken |= r->num == PENDING_MAX || rec->request >= ORK_REQUEST_SHARED;
    if (!r->is_overtaken)
        r->pending[r->num++] = (struct posted){
            .request = rec->request, .comm = rec->comm, .source = rec->peer, .tag = rec->tag};
}

/* A request of a START record: is it a receive, and posted by which call? */
static bool find_started(const struct receives *r, uint32_t i, uint32_t k, struct ork_record *rec)
{
    const uint32_t request = word_of(r, i, k);

    return r->made != NULL && r->made->find(r->made->context, request, rec);
}

static void start(struct receives *r, uint32_t i)
{
    struct ork_record rec;

    for (uint32_t k = 0; k < r->block[i].count; k++) {
        if (!find_started(r, i, k, &rec))
            continue;
        rec.flags = ORK_F_NONBLOCKING;
        rec.request = word_of(r, i, k);
        post(r, &rec);
    }
}

static void wait(struct receives *r, uint32_t i)
{
    const struct ork_record *rec = &r->block[i];

    r->wait = i;
    if (rec->mode != ORK_WAIT_ONE && rec->mode != ORK_WAIT_ALL)
        return; /* its outcome says which requests */
    for (uint32_t k = 0; k < rec->count; k++)
        complete_request(r, word_of(r, i, k));
    remove_complete(r);
}

static void leave(struct receives *r, uint32_t i)
{
    for (uint32_t k = 0; k + 2 < r->block[i].count && r->wait < r->n; k += 3)
        complete_request(r, word_of(r, r->wait, word_of(r, i, k)));
    remove_complete(r);
}

static void test(struct receives *r, uint32_t i)
{
    for (uint32_t k = 0; k + 2 < r->block[i].count; k += 3)
        complete_request(r, word_of(r, i, k));
    remove_complete(r);
}

/* It is known what it took, but it is pending. */
static void tell(struct receives *r, const struct ork_record *rec)
{
    for (uint32_t i = 0; i < r->num; i++) {
        struct posted *p = &r->pending[i];
        if (p->request != rec->request)
            continue;
        complete(r, i, p->comm, rec->peer, rec->tag);
        p->source = rec->peer;
        p->tag = rec->tag;
    }
}

static void take(struct receives *r, uint32_t i)
{
    const struct ork_record *rec = &r->block[i];

    switch ((unsigned)rec->kind) { /* few of all kinds */
    case ORK_KIND_RECV:
        post(r, rec);
        break;
    case ORK_KIND_START:
        start(r, i);
        break;
    case ORK_KIND_SENDRECV:
        complete(r, r->num, rec->comm, rec->peer2, rec->tag2);
        break;
    case ORK_KIND_PROBE:
    case ORK_KIND_PROBED:
        complete(r, r->num, rec->comm, rec->peer, rec->tag);
        break;
    case ORK_KIND_WAIT:
        wait(r, i);
        break;
    case ORK_KIND_EXIT:
        leave(r, i);
        break;
    case ORK_KIND_TESTED:
        test(r, i);
        break;
    case ORK_KIND_EARLY:
        tell(r, rec);
        break;
    default:
        break;
    }
}

static bool starts_wildcards(const struct receives *r, uint32_t i)
{
    struct ork_record rec;
    bool has = false;

    for (uint32_t k = 0; k < r->block[i].count && !has; k++)
        has = find_started(r, i, k, &rec) && is_wildcard(rec.peer, rec.tag);
    return has;
}

static bool has_open_wildcards(const struct receives *r)
{
    bool has = false;

    for (uint32_t i = 0; i < r->n && !has; i++) {
        const struct ork_record *rec = &r->block[i];
        has = rec->kind == ORK_KIND_START
                  ? starts_wildcards(r, i)
                  : rec->kind == ORK_KIND_RECV && (rec->flags & ORK_F_NONBLOCKING) != 0 &&
                        is_wildcard(rec->peer, rec->tag);
    }
    return has;
}

/* RATIONALE: the second time, what is pending at the end of a repetition is known. */
bool ork_wildcards_may_repeat(const struct ork_record *block, uint32_t n,
                              const struct ork_persistent_receives *made)
{
    struct receives r = {.block = block, .n = n, .made = made, .wait = n};

    if (!has_open_wildcards(&r))
        return true;
    for (unsigned times = 0; times < 2; times++) {
        for (uint32_t i = 0; i < n && !r.is_overtaken; i++)
            take(&r, i);
    }
    return !r.is_overtaken;
}
