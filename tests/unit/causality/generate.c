/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs of three or four ranks. */
#include "tests/unit/causality/explore.h"

#include <string.h>

static void insert(struct program *p, int rank, int at, struct op op)
{
    memmove(&p->op[rank][at + 1], &p->op[rank][at], (size_t)(p->ops[rank] - at) * sizeof(op));
    p->op[rank][at] = op;
    p->ops[rank]++;
}

/* Not inside a loop that gives up. */
static int behind_loop(const struct program *p, int rank, int at)
{
    while (at > 0 && at < p->ops[rank] && p->op[rank][at].loop != 0 &&
           p->op[rank][at].loop == p->op[rank][at - 1].loop)
        at++;
    return at;
}

static int place(const struct program *p, uint64_t *random, int rank, int first)
{
    int at = first + (int)draw(random, (uint64_t)(p->ops[rank] - first + 1));

    return behind_loop(p, rank, at);
}

/* How often, in percent. */
struct mix {
    unsigned any_source, any_tag, nonblocking, second_tag;
};

static void add_message(struct program *p, uint64_t *random, const struct mix *mix,
                        unsigned request)
{
    int from = (int)draw(random, (uint64_t)p->ranks);
    int to = (from + 1 + (int)draw(random, (uint64_t)p->ranks - 1)) % p->ranks;
    int tag = draw(random, 100) < mix->second_tag;
    struct op receive = {.type = draw(random, 100) < mix->nonblocking ? IRECV : RECV,
                         .peer = draw(random, 100) < mix->any_source ? ANY : from,
                         .tag = draw(random, 100) < mix->any_tag ? ANY : tag,
                         .request = request};

    insert(p, from, place(p, random, from, 0), (struct op){.type = SEND, .peer = to, .tag = tag});
    int at = place(p, random, to, 0);
    insert(p, to, at, receive);
    if (receive.type == IRECV)
        insert(p, to, place(p, random, to, at + 1), (struct op){.type = WAIT, .request = request});
}

/* A Waitany of two or more requests of the rank, before the Waits for them. */
static void add_waitany(struct program *p, uint64_t *random, int rank)
{
    int at = place(p, random, rank, 0), n = 0;
    unsigned set = 0;

    for (int k = 0; k < at; k++) {
        if (p->op[rank][k].type == IRECV) {
            set |= 1u << p->op[rank][k].request;
            n++;
        }
    }
    if (n >= 1)
        insert(p, rank, at, (struct op){.type = WAITANY, .set = set});
}

struct program program_generate(uint64_t *random)
{
    struct program p = {.ranks = 3 + (draw(random, 3) == 0)};
    unsigned messages = 3 + (unsigned)draw(random, 4);
    struct mix mix = {.any_source = draw(random, 2) == 0 ? 65 : 90,
                      .any_tag = draw(random, 2) == 0 ? 10 : 40,
                      .nonblocking = draw(random, 2) == 0 ? 40 : 70,
                      .second_tag = draw(random, 2) == 0 ? 15 : 50};

    for (unsigned i = 0; i < messages; i++)
        add_message(&p, random, &mix, i);
    int rank = (int)draw(random, (uint64_t)p.ranks);
    if (draw(random, 4) == 0)
        insert(&p, rank, place(&p, random, rank, 0),
               (struct op){.type = PROBE, .peer = draw(random, 4) == 0 ? 0 : ANY, .tag = 0});
    if (draw(random, 2) == 0)
        add_waitany(&p, random, (int)draw(random, (uint64_t)p.ranks));
    for (int r = 0; r < p.ranks && messages % 3 == 0; r++)
        insert(&p, r, place(&p, random, r, 0), (struct op){.type = BARRIER});
    return p;
}

/* Of some of the Irecvs before it; of them, some are complete by then. */
static bool make_test(const struct program *p, uint64_t *random, int rank, int at, struct op *op)
{
    unsigned before = 0, kind = (unsigned)draw(random, 3);

    for (int k = 0; k < at; k++)
        before |= p->op[rank][k].type == IRECV ? 1u << p->op[rank][k].request : 0;
    unsigned some = before & (unsigned)draw(random, 1u << REQUESTS);
    *op = (struct op){
        .type = TEST, .set = some != 0 ? some : before, .is_some = kind == 0, .is_all = kind == 1};
    op->is_status = op->is_all && (op->set & (op->set - 1)) == 0 && draw(random, 2) == 0;
    return before != 0;
}

static struct op make_probe(const struct program *p, uint64_t *random)
{
    return (struct op){.type = IPROBE,
                       .peer = draw(random, 2) == 0 ? (int)draw(random, (uint64_t)p->ranks) : ANY,
                       .tag = draw(random, 3) == 0 ? ANY : (int)draw(random, 2)};
}

static void add_poll(struct program *p, uint64_t *random, int rank)
{
    int at = place(p, random, rank, 0);
    struct op op = make_probe(p, random);

    if (p->ops[rank] == OPS)
        return;
    if (draw(random, 4) == 0 || make_test(p, random, rank, at, &op))
        insert(p, rank, at, op);
}

/* Is it known of all orders that are the same whether it was successful? See program_normal(). */
static bool tells_apart(const struct program *p, int rank, int op)
{
    struct row row = program_row(p, rank, op);

    if (op == row.last)
        return true;
    for (int k = row.first; k < op; k++) {
        if (p->op[rank][k].kind == p->op[rank][op].kind)
            return false;
    }
    return true;
}

/* Messages after a poll depend on it. */
static void depend(struct program *p, uint64_t *random, int rank)
{
    uint8_t poll = 0;

    for (int k = 0; k < p->ops[rank]; k++) {
        struct op *o = &p->op[rank][k];
        if ((program_is_poll(o) && tells_apart(p, rank, k)) || o->type == LOOP || o->type == LOCK)
            poll = (uint8_t)(k + 1);
        else if (o->type == SEND || o->type == SSEND)
            o->depends = draw(random, 2) == 0 ? poll : (uint8_t)0;
    }
}

void program_poll(struct program *p, uint64_t *random)
{
    unsigned polls = 2 + (unsigned)draw(random, 4);

    for (unsigned i = 0; i < polls; i++)
        add_poll(p, random, (int)draw(random, (uint64_t)p->ranks));
    for (int r = 0; r < p->ranks; r++)
        depend(p, random, r);
}

/* The requests that no call before that one completes, and that no loop tests: a loop would end at
 * once if it tested only null requests. */
static unsigned find_open(const struct program *p, int rank, int at)
{
    unsigned open = 0, completed = 0;

    for (int k = 0; k < at; k++) {
        const struct op *o = &p->op[rank][k];
        open |= o->type == IRECV ? 1u << o->request : 0;
        completed |= o->type == WAIT ? 1u << o->request : o->set;
    }
    for (int i = 0; i < p->polls[rank]; i++)
        completed |= p->poll[rank][i].set;
    for (int k = 0; k < p->ops[rank]; k++)
        completed |= p->op[rank][k].loop != 0 ? p->op[rank][k].set : 0;
    return open & ~completed;
}

static struct op make_poll(const struct program *p, uint64_t *random, int rank, int at,
                           unsigned open)
{
    struct op poll = make_probe(p, random);

    if (open == 0 || draw(random, 4) == 0)
        return poll;
    make_test(p, random, rank, at, &poll);
    poll.set = (poll.set & open) != 0 ? poll.set & open : open;
    poll.is_status &= (poll.set & (poll.set - 1)) == 0;
    return poll;
}

static void add_loop(struct program *p, uint64_t *random, int rank)
{
    int at = place(p, random, rank, 0);
    unsigned polls = 1 + (unsigned)draw(random, 3), open = find_open(p, rank, at);
    struct op loop = {.type = LOOP, .first_poll = (uint8_t)p->polls[rank], .polls = (uint8_t)polls};

    if (p->ops[rank] == OPS || p->polls[rank] + (int)polls > POLLS)
        return;
    for (unsigned i = 0; i < polls; i++)
        p->poll[rank][p->polls[rank]++] = make_poll(p, random, rank, at, open);
    insert(p, rank, at, loop);
}

/* A message of the loop, and sometimes a receive for it. */
static struct op make_report(struct program *p, uint64_t *random, int rank)
{
    int to = (rank + 1 + (int)draw(random, (uint64_t)p->ranks - 1)) % p->ranks;
    int tag = draw(random, 4) == 0;

    if (p->ops[to] < OPS && draw(random, 2) == 0)
        insert(p, to, place(p, random, to, 0), (struct op){.type = RECV, .peer = ANY, .tag = tag});
    return (struct op){.type = SEND, .peer = to, .tag = tag};
}

/* Two or three rounds of the same polls, with messages between some of them. */
static void add_loop_that_gives_up(struct program *p, uint64_t *random, int rank, uint8_t number)
{
    int at = place(p, random, rank, 0);
    unsigned polls = 1 + (unsigned)draw(random, 2), rounds = 2 + (unsigned)draw(random, 2);
    unsigned open = find_open(p, rank, at), sends = (unsigned)draw(random, 1u << rounds);
    struct op poll[2];

    if (p->ops[rank] + (int)(rounds * (polls + 1)) > OPS)
        return;
    for (unsigned i = 0; i < polls; i++) {
        poll[i] = make_poll(p, random, rank, at, open);
        poll[i].loop = number;
        poll[i].kind = (uint8_t)(i + 1);
    }
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned k = 0; k < polls; k++)
            insert(p, rank, at++, poll[k]);
        if ((sends >> i & 1) == 0)
            continue;
        struct op report = make_report(p, random, rank);
        report.loop = number;
        insert(p, rank, at++, report);
    }
}

void program_loop(struct program *p, uint64_t *random)
{
    unsigned loops = 1 + (unsigned)draw(random, 3);

    for (unsigned i = 0; i < loops; i++) {
        int rank = (int)draw(random, (uint64_t)p->ranks);
        if (draw(random, 2) == 0)
            add_loop(p, random, rank);
        else
            add_loop_that_gives_up(p, random, rank, (uint8_t)(i + 1));
    }
    for (int r = 0; r < p->ranks; r++)
        depend(p, random, r);
}

/* Behind all earlier sections of the rank, or around or in one of another target. */
static void add_section(struct program *p, uint64_t *random, int rank, int target)
{
    int last = 0, first = place(p, random, rank, 0);
    bool is_free = p->ops[rank] + 2 <= OPS;

    for (int k = 0; k < p->ops[rank]; k++) {
        if (p->op[rank][k].type == UNLOCK && p->op[rank][k].peer == target)
            last = k + 1;
    }
    first = behind_loop(p, rank, first < last ? last : first);
    if (!is_free)
        return;
    insert(p, rank, first,
           (struct op){.type = LOCK, .peer = target, .is_exclusive = draw(random, 10) < 7});
    int end = first + 1 + (int)draw(random, 3);
    end = behind_loop(p, rank, end < p->ops[rank] ? end : p->ops[rank]);
    insert(p, rank, end, (struct op){.type = UNLOCK, .peer = target});
}

void program_lock(struct program *p, uint64_t *random)
{
    unsigned sections = 2 + (unsigned)draw(random, 4);
    bool one_target = draw(random, 3) != 0;

    for (unsigned i = 0; i < sections; i++)
        add_section(p, random, (int)draw(random, (uint64_t)p->ranks),
                    one_target ? 0 : (int)draw(random, 2));
    for (int r = 0; r < p->ranks; r++)
        depend(p, random, r);
}

void program_vary(struct program *p, uint64_t *random, bool has_tests)
{
    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r]; k++) {
            if (p->op[r][k].type != WAITANY)
                continue;
            p->op[r][k].is_some = draw(random, 2) == 0;
            p->op[r][k].is_test = has_tests && draw(random, 2) == 0;
        }
    }
}

void program_synchronise(struct program *p, uint64_t *random)
{
    enum { HUNDRED = 100 };
    unsigned percent = draw(random, 2) == 0 ? 15 : 60;

    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r]; k++) {
            if (p->op[r][k].type == SEND && draw(random, HUNDRED) < percent)
                p->op[r][k].type = SSEND;
        }
    }
}
