/* SPDX-License-Identifier: BSD-3-Clause */
/* The requests of a rank, by their numbers. */
#include "order/arbiter/internal.h"

#include <stdlib.h>

void ork_arbiter_request_free(struct request *r)
{
    ork_arbiter_match_release(r->receive);
    free(r->made);
    *r = (struct request){0};
}

void ork_arbiter_rank_destroy(struct rank *p)
{
    for (uint32_t i = 0; i < p->requests; i++)
        ork_arbiter_request_free(&p->request[i]);
    ork_arbiter_match_release(p->receive);
    free(p->request);
    free(p->queue);
    free(p->list);
    free(p->outcome);
    free(p->ask.list);
}

struct request *ork_arbiter_rank_request(const struct rank *p, uint32_t id)
{
    return id < p->requests && p->request[id].used ? &p->request[id] : NULL;
}

struct request *ork_arbiter_rank_new_request(struct rank *p, uint32_t id)
{
    if (id >= ORK_REQUEST_SHARED)
        return NULL;
    if (id >= p->requests + ORK_NUMBERS_AHEAD) {
        ork_arbiter_rank_lose(p);
        return NULL;
    }
    if (!ork_vec_reserve(&p->request, &p->request_room, id + 1, sizeof(*p->request))) {
        p->arbiter->failed = true;
        return NULL;
    }
    if (id >= p->requests)
        p->requests = id + 1;
    ORK_ASSERT(id < p->requests && p->requests <= p->request_room);
    ork_arbiter_request_free(&p->request[id]);
    p->request[id].used = true;
    return &p->request[id];
}
