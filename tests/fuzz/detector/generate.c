/* SPDX-License-Identifier: BSD-3-Clause */
/* A random program: messages between random pairs of ranks, each as some way to send and some way
 * to receive it, in a random order on each rank, with waits and collectives strewn in. Most of them
 * have a deadlock somewhere; many have none. */
#include "tests/fuzz/detector/program.h"

#include "tests/fuzz/wfg_random.h"

#include <string.h>

enum { MAX_PIECES = 12, ROOM = MAX_STEPS - 5 };

enum feature {
    WILD = 1 << 0,
    ANY_TAGS = 1 << 1,
    NONBLOCKING = 1 << 2,
    PROBES = 1 << 3,
    CHOICES = 1 << 4,
    PERSISTENT = 1 << 5,
    COLLECTIVES = 1 << 6,
    COMMUNICATORS = 1 << 7,
    CANCELS = 1 << 8,
    FREES = 1 << 9,
    SENDRECVS = 1 << 10,
    MODES = 1 << 11,
    SELF = 1 << 12,
};

/* What has to be done on a rank, one or two steps that belong together. */
struct piece {
    struct step step[2];
    unsigned count;
};

struct maker {
    struct wfg_random random;
    struct program *p;
    uint32_t features;
    struct piece piece[MAX_RANKS][MAX_PIECES];
    unsigned pieces[MAX_RANKS];
};

static bool percent(struct maker *m, uint32_t chance)
{
    return wfg_random_percent(&m->random, chance);
}

static uint32_t below(struct maker *m, uint32_t bound)
{
    return wfg_random_below(&m->random, bound);
}

static bool with(struct maker *m, enum feature feature, uint32_t chance)
{
    return (m->features & feature) != 0 && percent(m, chance);
}

static void add_piece(struct maker *m, unsigned rank, const struct step *a, const struct step *b)
{
    if (m->pieces[rank] == MAX_PIECES)
        return;
    struct piece *piece = &m->piece[rank][m->pieces[rank]++];
    piece->step[0] = *a;
    piece->count = 1;
    if (b != NULL)
        piece->step[piece->count++] = *b;
}

/* ---- messages ---- */

static uint8_t random_mode(struct maker *m)
{
    static const uint8_t mode[] = {ORK_SEND_STANDARD, ORK_SEND_SYNCHRONOUS, ORK_SEND_BUFFERED};

    return with(m, MODES, 40) ? mode[below(m, 3)] : (uint8_t)ORK_SEND_STANDARD;
}

static void add_send(struct maker *m, unsigned from, unsigned to, int tag, uint8_t comm)
{
    struct step s = {.verb = VERB_SEND,
                     .mode = random_mode(m),
                     .comm = comm,
                     .peer = (int8_t)to,
                     .tag = (int8_t)tag};

    if (percent(m, 3))
        s.peer = ORK_PROC_NULL;
    if (with(m, PERSISTENT, 25))
        s.verb = VERB_SEND_INIT;
    else if (with(m, NONBLOCKING, 40))
        s.verb = VERB_ISEND;
    add_piece(m, from, &s, NULL);
}

static void add_probed_recv(struct maker *m, unsigned to, const struct step *recv)
{
    struct step probe = *recv;
    struct step second = *recv;
    uint32_t kind = below(m, 3);

    probe.verb = kind == 0 ? VERB_PROBE : kind == 1 ? VERB_MPROBE : VERB_IPROBE;
    if (kind == 1) {
        second =
            (struct step){.verb = percent(m, 70) ? VERB_MRECV : VERB_IMRECV, .comm = recv->comm};
    }
    if (percent(m, 10))
        add_piece(m, to, &probe, NULL);
    else
        add_piece(m, to, &probe, &second);
}

static void add_recv(struct maker *m, unsigned from, unsigned to, int tag, uint8_t comm)
{
    struct step s = {.verb = VERB_RECV, .comm = comm, .peer = (int8_t)from, .tag = (int8_t)tag};

    if (with(m, WILD, 40))
        s.peer = ORK_ANY_SOURCE;
    else if (percent(m, 2))
        s.peer = ORK_PROC_NULL;
    if (with(m, ANY_TAGS, 25))
        s.tag = ORK_ANY_TAG;
    if (s.peer != ORK_PROC_NULL && with(m, PROBES, 25)) {
        add_probed_recv(m, to, &s);
        return;
    }
    if (with(m, PERSISTENT, 25))
        s.verb = VERB_RECV_INIT;
    else if (with(m, NONBLOCKING, 40))
        s.verb = VERB_IRECV;
    add_piece(m, to, &s, NULL);
}

static bool is_member(const struct program *p, uint8_t comm, unsigned rank)
{
    return comm == 0 || (p->members[comm] >> rank & 1);
}

static void add_message(struct maker *m)
{
    struct program *p = m->p;
    unsigned from = below(m, p->ranks);
    unsigned to = below(m, p->ranks);
    int tag = percent(m, 70) ? 0 : 1;
    uint8_t comm = percent(m, 60) ? 0 : (uint8_t)below(m, p->comms);

    if (from == to && !with(m, SELF, 50))
        to = (to + 1) % p->ranks;
    if (!is_member(p, comm, from) || !is_member(p, comm, to))
        comm = 0;
    if (percent(m, 94))
        add_send(m, from, to, tag, comm);
    if (percent(m, 94))
        add_recv(m, from, to, tag, comm);
}

/* Some sends and receives of one rank become one call. */
static void join_sendrecvs(struct maker *m, unsigned rank)
{
    struct piece *send = NULL, *recv = NULL;

    for (unsigned i = 0; i < m->pieces[rank]; i++) {
        struct piece *piece = &m->piece[rank][i];
        if (piece->count == 1 && piece->step[0].verb == VERB_SEND &&
            piece->step[0].mode == ORK_SEND_STANDARD)
            send = piece;
        if (piece->count == 1 && piece->step[0].verb == VERB_RECV)
            recv = piece;
    }
    if (send == NULL || recv == NULL || send->step[0].comm != recv->step[0].comm)
        return;
    send->step[0].verb = VERB_SENDRECV;
    send->step[0].peer2 = recv->step[0].peer;
    send->step[0].tag2 = recv->step[0].tag;
    *recv = m->piece[rank][--m->pieces[rank]];
}

/* ---- order ---- */

static void shuffle(struct maker *m, unsigned rank)
{
    for (unsigned i = m->pieces[rank]; i > 1; i--) {
        unsigned k = below(m, i);
        struct piece t = m->piece[rank][i - 1];
        m->piece[rank][i - 1] = m->piece[rank][k];
        m->piece[rank][k] = t;
    }
}

static struct step *append(struct program *p, unsigned rank, struct step step)
{
    p->step[rank][p->steps[rank]] = step;
    return &p->step[rank][p->steps[rank]++];
}

static bool makes_request(enum verb verb)
{
    return verb == VERB_ISEND || verb == VERB_IRECV || verb == VERB_SEND_INIT ||
           verb == VERB_RECV_INIT || verb == VERB_IMRECV || verb == VERB_ICOLL;
}

static uint32_t lowest(uint32_t set)
{
    return set & (0 - set);
}

/* Cancel or free one pending request. */
static void meddle(struct maker *m, unsigned rank, uint32_t *pending)
{
    struct program *p = m->p;
    uint32_t one = lowest(*pending);
    enum verb verb = one == 0 ? VERB_FINALIZE : p->step[rank][__builtin_ctz(one)].verb;

    if (verb == VERB_IRECV && with(m, CANCELS, 30)) {
        append(p, rank, (struct step){.verb = VERB_CANCEL, .set = one});
    } else if ((verb == VERB_IRECV || verb == VERB_ISEND) && with(m, FREES, 20)) {
        append(p, rank, (struct step){.verb = VERB_FREE, .set = one});
        *pending &= ~one;
    }
}

/* Wait for, or look at, what is pending; persistent requests may be started again. */
static void wait_some(struct maker *m, unsigned rank, uint32_t *pending)
{
    static const enum verb choice[] = {VERB_WAITANY, VERB_WAITSOME, VERB_TEST};
    struct program *p = m->p;

    if (with(m, CHOICES, 50)) {
        append(p, rank, (struct step){.verb = choice[below(m, 3)], .set = *pending});
        return;
    }
    uint32_t set = percent(m, 25) ? lowest(*pending) : *pending;
    uint32_t again = 0;
    append(p, rank, (struct step){.verb = VERB_WAIT, .set = set});
    *pending &= ~set;
    for (unsigned i = 0; i < p->steps[rank]; i++) {
        enum verb verb = p->step[rank][i].verb;
        if ((set >> i & 1) && (verb == VERB_SEND_INIT || verb == VERB_RECV_INIT) && percent(m, 30))
            again |= UINT32_C(1) << i;
    }
    if (again != 0)
        append(p, rank, (struct step){.verb = VERB_START, .set = again});
    *pending |= again;
}

static void place(struct maker *m, unsigned rank, const struct piece *piece, uint32_t *pending)
{
    struct program *p = m->p;

    for (unsigned i = 0; i < piece->count; i++) {
        unsigned at = p->steps[rank];
        struct step *s = append(p, rank, piece->step[i]);
        if (s->verb == VERB_MRECV || s->verb == VERB_IMRECV)
            s->of = (uint8_t)(at - 1);
        if (makes_request(s->verb))
            *pending |= UINT32_C(1) << at;
        if (s->verb == VERB_SEND_INIT || s->verb == VERB_RECV_INIT)
            append(p, rank, (struct step){.verb = VERB_START, .set = UINT32_C(1) << at});
    }
}

static void lay_out(struct maker *m, unsigned rank)
{
    struct program *p = m->p;
    uint32_t pending = 0;

    for (unsigned i = 0; i < m->pieces[rank] && p->steps[rank] < ROOM - 5; i++) {
        place(m, rank, &m->piece[rank][i], &pending);
        if (pending != 0)
            meddle(m, rank, &pending);
        if (pending != 0 && percent(m, 50))
            wait_some(m, rank, &pending);
    }
    if (pending != 0 && percent(m, 92))
        append(p, rank, (struct step){.verb = VERB_WAIT, .set = pending});
}

/* ---- collectives ---- */

static void add_waves(struct maker *m, uint8_t comm)
{
    static const uint8_t kind[] = {ORK_COLL_BARRIER, ORK_COLL_BCAST, ORK_COLL_REDUCE,
                                   ORK_COLL_ALLREDUCE};
    struct program *p = m->p;
    uint8_t mode = kind[below(m, 4)];
    bool nonblocking = with(m, NONBLOCKING, 40);
    uint32_t waves = below(m, 3);

    for (uint32_t w = 0; w < waves; w++) {
        struct step s = {.verb = nonblocking ? VERB_ICOLL : VERB_COLL, .mode = mode, .comm = comm};
        bool rooted = mode == ORK_COLL_BCAST || mode == ORK_COLL_REDUCE;
        s.peer = rooted ? (int8_t)(comm == 0 ? 0 : __builtin_ctz(p->members[comm]))
                        : (int8_t)ORK_NO_PEER;
        for (unsigned r = 0; r < p->ranks; r++) {
            if (is_member(p, comm, r) && percent(m, 95))
                add_piece(m, r, &s, NULL);
        }
    }
}

static void make_communicators(struct maker *m)
{
    struct program *p = m->p;

    p->comms = (m->features & COMMUNICATORS) ? (uint8_t)(1 + below(m, MAX_COMMS)) : 1;
    for (uint8_t c = 1; c < p->comms; c++) {
        uint8_t all = (uint8_t)((1u << p->ranks) - 1);
        p->is_dup[c] = percent(m, 30);
        p->members[c] = p->is_dup[c] ? all : (uint8_t)(1 + below(m, all));
        for (unsigned r = 0; r < p->ranks; r++)
            append(p, r,
                   (struct step){.verb = VERB_CONSTRUCT,
                                 .of = c,
                                 .mode = p->is_dup[c] ? ORK_COLL_COMM_DUP : ORK_COLL_COMM_SPLIT});
    }
}

static void add_endings(struct maker *m)
{
    struct program *p = m->p;
    bool odd = percent(m, 15);

    for (unsigned r = 0; r < p->ranks; r++) {
        if (odd && percent(m, 40))
            p->ending[r] = percent(m, 60) ? ENDING_RUNNING : ENDING_EXIT;
        else
            append(p, r, (struct step){.verb = VERB_FINALIZE});
    }
}

void program_random(uint64_t seed, struct program *p)
{
    struct maker m = {.random = {seed * UINT64_C(0x9e3779b97f4a7c15)}, .p = p};

    *p = (struct program){.seed = seed};
    m.features = (uint32_t)wfg_random_next(&m.random) & (uint32_t)wfg_random_next(&m.random);
    m.features |= percent(&m, 50) ? NONBLOCKING : 0;
    m.features |= percent(&m, 40) ? WILD : 0;
    p->ranks = (uint8_t)(2 + below(&m, 7) / 3);
    p->lazy = percent(&m, 30);
    p->shared = percent(&m, 20);
    make_communicators(&m);
    for (uint32_t n = 1 + below(&m, 6); n > 0; n--)
        add_message(&m);
    for (unsigned r = 0; r < p->ranks; r++) {
        if (with(&m, SENDRECVS, 60))
            join_sendrecvs(&m, r);
    }
    for (uint8_t c = 0; c < p->comms; c++) {
        if ((m.features & COLLECTIVES) != 0)
            add_waves(&m, c);
    }
    for (unsigned r = 0; r < p->ranks; r++) {
        shuffle(&m, r);
        lay_out(&m, r);
    }
    add_endings(&m);
}
