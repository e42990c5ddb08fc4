/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/arbiter/program.h"

static const char *const verb_name[VERB_MAX] = {
    "Send",    "Isend",   "Recv",    "Irecv", "Sendrecv", "Start",  "Wait",   "Waitall",
    "Waitany", "Testall", "Testany", "Probe", "Iprobe",   "Mprobe", "Cancel", "Free",
    "Barrier", "Bcast",   "Skip",    "Lock",  "Unlock",   "Atomic", "Put"};

/* How often each verb is drawn; of those that are not made for a message or a section. */
static const uint8_t weight[VERB_MAX] = {12, 6, 3, 6, 2, 5, 5, 4, 7, 4, 5, 3,
                                         4,  3, 2, 1, 1, 1, 5, 0, 0, 0, 0};

static enum verb random_verb(struct wfg_random *random)
{
    uint32_t total = 0, at;

    for (unsigned v = 0; v < VERB_MAX; v++)
        total += weight[v];
    at = wfg_random_below(random, total);
    for (unsigned v = 0;; v++) {
        if (at < weight[v])
            return (enum verb)v;
        at -= weight[v];
    }
}

static uint32_t random_comm(struct wfg_random *random, const struct program *p)
{
    if (p->has_inter && wfg_random_percent(random, 20))
        return COMM_INTER;
    return p->has_dup && wfg_random_percent(random, 25) ? COMM_DUP : ORK_COMM_WORLD;
}

/* Number of processes that a message of this rank can go to. */
static uint32_t peers_of(const struct program *p, uint32_t comm, uint32_t rank)
{
    uint32_t odd = p->ranks / 2;

    if (comm != COMM_INTER)
        return p->ranks;
    return rank % 2 == 0 ? odd : p->ranks - odd;
}

static int32_t random_peer(struct wfg_random *random, const struct program *p, uint32_t comm,
                           uint32_t rank)
{
    uint32_t peers = peers_of(p, comm, rank);

    if (comm != COMM_INTER && wfg_random_percent(random, 50)) /* many messages to few ranks */
        return (int32_t)wfg_random_below(random, 2);
    return (int32_t)wfg_random_below(random, peers);
}

static int32_t random_source(struct wfg_random *random, const struct program *p, uint32_t comm,
                             uint32_t rank)
{
    return wfg_random_percent(random, 65) ? ORK_ANY_SOURCE : random_peer(random, p, comm, rank);
}

static void random_step(struct wfg_random *random, const struct program *p, uint32_t rank,
                        uint32_t tags, struct step *s)
{
    *s = (struct step){.verb = random_verb(random)};
    s->comm = random_comm(random, p);
    s->tag = (int32_t)wfg_random_below(random, tags);
    s->tag2 = (int32_t)wfg_random_below(random, tags);
    s->slot = wfg_random_below(random, FIRST_PERSISTENT);
    s->set = wfg_random_below(random, 1u << SLOTS);
    s->synchronous = wfg_random_percent(random, 25);
    s->polls = 1 + wfg_random_below(random, 24);
    s->root = (int32_t)wfg_random_below(random, p->ranks);
    switch ((int)s->verb) {
    case VERB_SEND:
    case VERB_ISEND:
    case VERB_SENDRECV:
        s->peer = random_peer(random, p, s->comm, rank);
        if (s->verb == VERB_SEND && s->comm == ORK_COMM_WORLD && wfg_random_percent(random, 20))
            s->peer = PEER_LATEST;
        s->peer2 = random_source(random, p, s->comm, rank);
        break;
    case VERB_RECV:
    case VERB_IRECV:
    case VERB_PROBE:
    case VERB_IPROBE:
    case VERB_MPROBE:
        s->peer = random_source(random, p, s->comm, rank);
        if (wfg_random_percent(random, 30))
            s->tag = ORK_ANY_TAG;
        break;
    case VERB_START:
        s->set &= ~((1u << FIRST_PERSISTENT) - 1);
        break;
    case VERB_BARRIER:
    case VERB_BCAST:
        if (s->comm == COMM_INTER)
            s->comm = ORK_COMM_WORLD;
        break;
    case VERB_WAIT:
    case VERB_CANCEL:
    case VERB_FREE:
        s->slot = wfg_random_below(random, SLOTS);
        break;
    default:
        break;
    }
}

static struct step *append(struct program *p, uint32_t rank)
{
    static struct step unused;

    return p->steps[rank] == MAX_STEPS ? &unused : &p->step[rank][p->steps[rank]++];
}

static void append_request(struct wfg_random *random, struct program *p, uint32_t rank,
                           struct step s)
{
    s.slot = wfg_random_below(random, FIRST_PERSISTENT);
    *append(p, rank) = (struct step){.verb = VERB_WAIT, .slot = s.slot};
    *append(p, rank) = s;
}

/* A message, and a call that may receive it. */
static void add_message(struct wfg_random *random, struct program *p, uint32_t tags)
{
    uint32_t from = wfg_random_below(random, p->ranks), to;
    struct step s = {.comm = random_comm(random, p),
                     .tag = (int32_t)wfg_random_below(random, tags),
                     .synchronous = wfg_random_percent(random, 25),
                     .polls = 1 + wfg_random_below(random, 24)};
    bool is_request = wfg_random_percent(random, 35);

    s.peer = random_peer(random, p, s.comm, from);
    to = s.comm == COMM_INTER ? 2 * (uint32_t)s.peer + (from % 2 == 0) : (uint32_t)s.peer;
    is_request |= to == from && s.synchronous;
    s.verb = is_request ? VERB_ISEND : VERB_SEND;
    if (is_request)
        append_request(random, p, from, s);
    else
        *append(p, from) = s;
    s.peer = s.comm == COMM_INTER ? (int32_t)from / 2 : (int32_t)from;
    if (wfg_random_percent(random, 65))
        s.peer = ORK_ANY_SOURCE;
    if (wfg_random_percent(random, 30))
        s.tag = ORK_ANY_TAG;
    if (wfg_random_percent(random, 15)) {
        s.verb = wfg_random_percent(random, 60) ? VERB_PROBE : VERB_IPROBE;
        *append(p, to) = s;
    }
    if (wfg_random_percent(random, 45)) {
        s.verb = VERB_IRECV;
        append_request(random, p, to, s);
    } else {
        s.verb = wfg_random_percent(random, 80) ? VERB_RECV : VERB_MPROBE;
        *append(p, to) = s;
    }
}

static void add_collective(struct wfg_random *random, struct program *p)
{
    struct step s = {.verb = wfg_random_percent(random, 60) ? VERB_BARRIER : VERB_BCAST,
                     .comm =
                         p->has_dup && wfg_random_percent(random, 40) ? COMM_DUP : ORK_COMM_WORLD,
                     .root = (int32_t)wfg_random_below(random, p->ranks)};

    for (uint32_t r = 0; r < p->ranks; r++)
        *append(p, r) = s;
}

/* A call that may be wrong here. */
static void add_other(struct wfg_random *random, struct program *p, uint32_t tags)
{
    uint32_t rank = wfg_random_below(random, p->ranks);
    struct step s;

    do {
        random_step(random, p, rank, tags, &s);
    } while ((s.verb == VERB_RECV || s.verb == VERB_BARRIER || s.verb == VERB_BCAST ||
              s.verb == VERB_PROBE || s.verb == VERB_MPROBE || s.verb == VERB_SENDRECV) &&
             !wfg_random_percent(random, 3));
    *append(p, rank) = s;
}

static void swap_some(struct wfg_random *random, struct program *p)
{
    uint32_t swaps = wfg_random_percent(random, 50) ? wfg_random_below(random, 4) : 0;

    for (uint32_t i = 0; i < swaps; i++) {
        uint32_t rank = wfg_random_below(random, p->ranks);
        if (p->steps[rank] < 2)
            continue;
        uint32_t at = wfg_random_below(random, p->steps[rank] - 1);
        struct step s = p->step[rank][at];
        p->step[rank][at] = p->step[rank][at + 1];
        p->step[rank][at + 1] = s;
    }
}

/* ---- critical sections ---- */

static void insert(struct program *p, uint32_t rank, uint32_t at, struct step s)
{
    if (p->steps[rank] == MAX_STEPS)
        return;
    for (uint32_t i = p->steps[rank]++; i > at; i--)
        p->step[rank][i] = p->step[rank][i - 1];
    p->step[rank][at] = s;
}

static struct step random_access(struct wfg_random *random)
{
    if (wfg_random_percent(random, 50))
        return (struct step){.verb = VERB_PUT};
    return (struct step){.verb = VERB_ATOMIC,
                         .peer = (int32_t)wfg_random_below(random, 2),
                         .tag = (int32_t)wfg_random_below(random, PLACES),
                         .exclusive = wfg_random_percent(random, 70)};
}

/* Around few other steps of a rank. */
static void add_section(struct wfg_random *random, struct program *p)
{
    uint32_t rank = wfg_random_below(random, p->ranks);
    uint32_t first = wfg_random_below(random, p->steps[rank] + 1);
    uint32_t after = first + wfg_random_below(random, wfg_random_percent(random, 60) ? 1 : 4);
    bool is_all = wfg_random_percent(random, 15);
    struct step s = {.verb = VERB_UNLOCK,
                     .peer = is_all ? PEER_ALL : (int32_t)wfg_random_below(random, 2),
                     .exclusive = !is_all && wfg_random_percent(random, 65)};

    if (p->steps[rank] + 2 > MAX_STEPS)
        return;
    after = after < p->steps[rank] ? after : p->steps[rank];
    insert(p, rank, after, s);
    for (uint32_t accesses = wfg_random_below(random, 5); accesses > 0; accesses--)
        insert(p, rank, first, random_access(random));
    s.verb = VERB_LOCK;
    insert(p, rank, first, s);
}

static void add_sections(struct wfg_random *random, struct program *p)
{
    p->has_window = wfg_random_percent(random, 50);
    for (uint32_t i = wfg_random_below(random, 16); p->has_window && i > 0; i--)
        add_section(random, p);
}

void program_random(uint64_t seed, struct program *p)
{
    struct wfg_random random = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1};

    *p = (struct program){.seed = seed, .ranks = 2 + wfg_random_below(&random, MAX_RANKS - 1)};
    p->has_dup = wfg_random_percent(&random, 30);
    p->has_inter = wfg_random_percent(&random, 20);
    p->polls_in_collectives = wfg_random_percent(&random, 70);
    uint32_t tags = 1 + wfg_random_below(&random, 3);
    uint32_t others = wfg_random_below(&random, 60), messages = 2 + wfg_random_below(&random, 24);
    for (uint32_t i = 0; i < messages; i++) {
        add_message(&random, p, tags);
        if (wfg_random_percent(&random, others))
            add_other(&random, p, tags);
        if (wfg_random_percent(&random, 4))
            add_collective(&random, p);
    }
    swap_some(&random, p);
    add_sections(&random, p);
    for (uint32_t r = 0; r < p->ranks; r++) {
        for (uint32_t i = FIRST_PERSISTENT; i < SLOTS; i++) {
            do {
                random_step(&random, p, r, tags, &p->persistent[r][i]);
            } while (p->persistent[r][i].verb != VERB_ISEND &&
                     p->persistent[r][i].verb != VERB_IRECV);
        }
    }
}

static void print_step(const struct step *s, FILE *out)
{
    fprintf(out,
            "%s(comm %u, peer %d, tag %d, peer2 %d, tag2 %d, slot %u, set %x%s%s, polls %u, "
            "root %d)",
            verb_name[s->verb], s->comm, s->peer, s->tag, s->peer2, s->tag2, s->slot, s->set,
            s->synchronous ? ", synchronous" : "", s->exclusive ? ", exclusive" : "", s->polls,
            s->root);
}

void program_print(const struct program *p, FILE *out)
{
    for (uint32_t r = 0; r < p->ranks; r++) {
        fprintf(out, "rank %u\n", r);
        for (uint32_t i = FIRST_PERSISTENT; i < SLOTS; i++) {
            fprintf(out, "  request %u: ", i);
            print_step(&p->persistent[r][i], out);
            fprintf(out, "\n");
        }
        for (uint32_t i = 0; i < p->steps[r]; i++) {
            fprintf(out, "  %2u ", i);
            print_step(&p->step[r][i], out);
            fprintf(out, "\n");
        }
    }
}
