/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages in their order, shown with a finding. Reads only. */
#include "common/vec.h"
#include "detector/graph/graph.h"
#include "detector/match/queue.h"

#include <stdlib.h>

/* Is it undecided which of these messages the receives of the process take? */
static bool is_in_doubt(const struct queue *q)
{
    const struct queue *queue[] = {q, q->channel, q->any_source, q->any_any};
    bool doubt = false;

    for (unsigned i = 0; i < sizeof(queue) / sizeof(queue[0]) && !doubt; i++)
        doubt = queue[i] != NULL && (queue[i]->is_ambiguous || queue[i]->in_doubt);
    return doubt;
}

static bool is_between(const struct ork_detector *d, const bool *of, const struct queue *q)
{
    return q->src >= 0 && q->tag != ORK_ANY_TAG && (uint32_t)q->src < d->nprocs &&
           q->dst < d->nprocs && of[(uint32_t)q->src] && of[q->dst];
}

enum ork_status ork_detector_streams(const struct ork_detector *d, const bool *of,
                                     struct ork_stream **stream, uint32_t *count)
{
    const struct table *t = &d->matching.exact;
    struct ork_stream *list = NULL;
    uint32_t n = 0, cap = 0;

    for (uint32_t i = 0; i < t->buckets; i++) {
        for (const struct queue *q = t->bucket[i]; q != NULL; q = q->hash_next) {
            bool doubt = is_in_doubt(q);
            if (!is_between(d, of, q) || (q->num_sends == 0 && q->num_recvs == 0 && !doubt))
                continue;
            if (!ork_vec_reserve(&list, &cap, n + 1, sizeof(*list))) {
                free(list);
                return ORK_NOMEM;
            }
            list[n++] = (struct ork_stream){.source = (uint32_t)q->src,
                                            .destination = q->dst,
                                            .comm = q->comm,
                                            .tag = q->tag,
                                            .sends = q->num_sends,
                                            .receives = q->num_recvs,
                                            .is_in_doubt = doubt};
        }
    }
    *stream = list;
    *count = n;
    return ORK_OK;
}

bool ork_detector_stream_of(const struct ork_detector *d, uint32_t rank,
                            const struct ork_record *call, bool sends, struct ork_stream *stream)
{
    struct comm_ref *ref = rank < d->nprocs ? ork_comm_ref(d->proc[rank], call->comm) : NULL;
    bool second = call->kind == ORK_KIND_SENDRECV && !sends;
    int32_t peer = second ? call->peer2 : call->peer;
    int32_t tag = second ? call->tag2 : call->tag;
    uint32_t partner;

    if (ref == NULL || peer < 0 || tag == ORK_ANY_TAG || !ork_comm_peer(ref, peer, &partner))
        return false;
    *stream = (struct ork_stream){.source = sends ? rank : partner,
                                  .destination = sends ? partner : rank,
                                  .comm = ref->comm->id,
                                  .tag = tag};
    return true;
}

uint32_t ork_detector_coll_calls(const struct ork_detector *d, uint32_t rank, uint32_t local)
{
    struct comm_ref *ref = rank < d->nprocs ? ork_comm_ref(d->proc[rank], local) : NULL;

    return ref == NULL || ref->comm->self ? 0 : ork_comm_calls(ref->comm, ref->me);
}
