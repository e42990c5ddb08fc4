/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/arbiter/library.h"

uint32_t library_world_of(uint32_t comm, uint32_t me, int32_t peer)
{
    return comm != COMM_INTER ? (uint32_t)peer : 2 * (uint32_t)peer + (me % 2 == 0);
}

int32_t library_peer_of(uint32_t comm, uint32_t world)
{
    return (int32_t)(comm != COMM_INTER ? world : world / 2);
}

bool library_fits(int32_t source, int32_t tag, const struct packet *m)
{
    return (source == ORK_ANY_SOURCE || source == (int32_t)m->from) &&
           (tag == ORK_ANY_TAG || tag == m->tag);
}

uint32_t library_send(struct library *l, uint32_t comm, uint32_t from, uint32_t to, int32_t tag,
                      bool synchronous)
{
    if (l->ops == MAX_OPS || l->messages == MAX_OPS)
        abort();
    l->message[l->messages] = (struct packet){
        .id = from << 16 | l->sent[from]++, .comm = comm, .from = from, .to = to, .tag = tag};
    l->op[l->ops] = (struct op){.state = OP_STARTED,
                                .is_send = true,
                                .synchronous = synchronous,
                                .rank = from,
                                .comm = comm,
                                .message = l->messages++};
    return l->ops++;
}

uint32_t library_receive(struct library *l, uint32_t comm, uint32_t rank, int32_t source,
                         int32_t tag)
{
    if (l->ops == MAX_OPS)
        abort();
    l->op[l->ops] = (struct op){.rank = rank,
                                .comm = comm,
                                .source = source,
                                .tag = tag,
                                .wildcard = source == ORK_ANY_SOURCE,
                                .named_any = source != ORK_ANY_SOURCE && tag == ORK_ANY_TAG,
                                .message = MAX_OPS};
    return l->ops++;
}

static void take(struct op *op, struct library *l, uint32_t message)
{
    op->state = OP_DONE;
    op->message = message;
    l->message[message].state = RECEIVED;
}

uint32_t library_probe(const struct library *l, uint32_t comm, uint32_t rank, int32_t source,
                       int32_t tag)
{
    uint32_t found = MAX_OPS;

    for (uint32_t i = 0; i < l->messages; i++) {
        const struct packet *m = &l->message[i];
        if (m->state == ARRIVED && m->to == rank && m->comm == comm &&
            library_fits(source, tag, m) &&
            (found == MAX_OPS || m->arrival < l->message[found].arrival))
            found = i;
    }
    return found;
}

void library_start(struct library *l, struct op *op)
{
    uint32_t message = library_probe(l, op->comm, op->rank, op->source, op->tag);

    op->state = OP_STARTED;
    op->started = l->starts++;
    if (message != MAX_OPS)
        take(op, l, message);
}

bool library_is_complete(const struct library *l, const struct op *op)
{
    if (op->is_send)
        return !op->synchronous || l->message[op->message].state == RECEIVED;
    return op->state == OP_DONE || op->state == OP_CANCELLED;
}

static void arrive(struct library *l, uint32_t message)
{
    struct packet *m = &l->message[message];
    struct op *first = NULL;

    m->state = ARRIVED;
    m->arrival = l->arrivals++;
    for (uint32_t i = 0; i < l->ops; i++) {
        struct op *op = &l->op[i];
        if (!op->is_send && op->state == OP_STARTED && op->rank == m->to && op->comm == m->comm &&
            library_fits(op->source, op->tag, m) && (first == NULL || op->started < first->started))
            first = op;
    }
    if (first != NULL)
        take(first, l, message);
}

bool library_deliver(struct library *l, struct wfg_random *random)
{
    bool seen[COMMS][MAX_RANKS][MAX_RANKS] = {0};
    uint32_t first[COMMS * MAX_RANKS * MAX_RANKS], n = 0;

    for (uint32_t i = 0; i < l->messages; i++) {
        const struct packet *m = &l->message[i];
        if (m->state != ON_ITS_WAY || seen[m->comm][m->from][m->to])
            continue;
        seen[m->comm][m->from][m->to] = true;
        first[n++] = i;
    }
    if (n == 0)
        return false;
    arrive(l, first[wfg_random_below(random, n)]);
    return true;
}
