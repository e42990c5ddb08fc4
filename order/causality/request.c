/* SPDX-License-Identifier: BSD-3-Clause */
/* The requests of a rank, by their numbers. */
#include "order/causality/internal.h"

#include <stdlib.h>

void ork_causality_request_free(struct request *r)
{
    free(r->made);
    *r = (struct request){0};
}

struct request *ork_causality_request(const struct rank *p, uint32_t id)
{
    return id < p->requests && p->request[id].used ? &p->request[id] : NULL;
}

struct request *ork_causality_new_request(struct rank *p, uint32_t id)
{
    if (id >= ORK_REQUEST_SHARED)
        return NULL;
    if (id >= p->requests + ORK_NUMBERS_AHEAD) {
        ork_causality_lose(p, "one of its requests has an invalid number");
        return NULL;
    }
    if (!ork_vec_reserve(&p->request, &p->request_room, id + 1, sizeof(*p->request))) {
        p->causality->failed = true;
        return NULL;
    }
    if (id >= p->requests)
        p->requests = id + 1;
    ORK_ASSERT(id < p->requests && p->requests <= p->request_room);
    ork_causality_request_free(&p->request[id]);
    p->request[id].used = true;
    return &p->request[id];
}

/* RATIONALE: a shared handle is given for operations that were complete when they were started. */
struct op ork_causality_op(const struct rank *p, uint32_t id)
{
    const struct request *r = ork_causality_request(p, id);

    if (id == ORK_REQUEST_SHARED)
        return (struct op){.type = OP_DONE};
    return r != NULL ? r->op : (struct op){0};
}

/* May a rank know more when it is complete? */
static bool orders_something(const struct op *op)
{
    return (op->type == OP_RECEIVE && op->receive->box != NULL) ||
           (op->type == OP_COLL && op->part != NULL && op->part->wave->comm->group->size > 1);
}

void ork_causality_make_request(struct rank *p, uint32_t id, struct op op)
{
    struct request *request = ork_causality_new_request(p, id);

    op.serial = ++p->serials;
    if (request != NULL)
        request->op = op;
    else if (op.type == OP_RECEIVE && op.receive->is_wildcard)
        op.receive->known = KNOWN_NEVER; /* its completion will not be seen */
    if (request == NULL && orders_something(&op))
        p->causality->is_uncertain = true;
}

struct made *ork_causality_make_persistent(struct rank *p, const struct ork_record *call)
{
    struct request *request = ork_causality_new_request(p, call->request);
    size_t words = call->count * sizeof(request->made->list[0]);

    if (request == NULL)
        return NULL;
    request->made = malloc(sizeof(*request->made) + words);
    if (request->made == NULL) {
        p->causality->failed = true;
        return NULL;
    }
    *request->made = (struct made){.record = *call};
    if (words > 0)
        memcpy(request->made->list, p->call_list, words);
    return request->made;
}
