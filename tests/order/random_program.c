/* SPDX-License-Identifier: BSD-3-Clause */
/* The random programs of tests/fuzz, executed for real: each rank makes the same program from the
 * seed, does its steps, and prints a digest of all outcomes.
 *
 *     random_program SEED             one program; as MPI job
 *     random_program --list SEED N    "seed ranks" of N programs from SEED on that are fit for that
 *     random_program --show SEED      the steps
 *
 * Fit is a program that has some choices, and ends in every order in which it can go if standard
 * sends are buffered: the exhaustive simulation of tests/fuzz says so. */
#include "tests/fuzz/detector/explore.h"
#include "tests/fuzz/wfg_random.h"
#include "tests/order/programs/digest.h"

#include <string.h>

enum { CHOICES = 5 };

static struct program program;
static MPI_Comm comm[MAX_COMMS];
static MPI_Request request[MAX_STEPS];
static MPI_Message message[MAX_STEPS];
static int buffer[MAX_STEPS][2]; /* of what a step sends, and of what it receives */
static uint64_t seed;

/* ---- which programs ---- */

static bool ends_always(const struct program *p, bool lazy)
{
    struct outcomes outcomes;
    struct model m;

    if (!model_init(&m, p, true, lazy))
        return false;
    bool ends = explore(&m, NULL, &outcomes) && outcomes.count > 0;
    for (unsigned i = 0; ends && i < outcomes.count; i++) {
        for (unsigned r = 0; r < p->ranks; r++)
            ends &= outcomes.item[i].pc[r] == p->steps[r];
    }
    free(outcomes.item);
    return ends;
}

/* Steps whose outcome the order of messages may decide. */
static unsigned choices(const struct program *p)
{
    unsigned count = 0;

    for (unsigned r = 0; r < p->ranks; r++) {
        for (unsigned i = 0; i < p->steps[r]; i++) {
            const struct step *s = &p->step[r][i];
            int peer = s->verb == VERB_SENDRECV ? s->peer2 : s->peer;
            count += peer == ORK_ANY_SOURCE || s->verb == VERB_WAITANY ||
                     s->verb == VERB_WAITSOME || s->verb == VERB_TEST || s->verb == VERB_CANCEL ||
                     s->verb == VERB_IPROBE;
        }
    }
    return count;
}

static bool is_receive(const struct step *s)
{
    return s->verb == VERB_IRECV || s->verb == VERB_RECV_INIT || s->verb == VERB_IMRECV;
}

/* RATIONALE: a receive whose request is freed before it is complete is not forced. */
static bool frees_receive(const struct program *p, unsigned rank)
{
    for (unsigned i = 0; i < p->steps[rank]; i++) {
        for (unsigned k = 0; p->step[rank][i].verb == VERB_FREE && k < MAX_STEPS; k++) {
            if (p->step[rank][i].set >> k & 1 && is_receive(&p->step[rank][k]))
                return true;
        }
    }
    return false;
}

static bool is_fit(const struct program *p)
{
    for (unsigned r = 0; r < p->ranks; r++) {
        if (p->ending[r] != ENDING_FINALIZE || frees_receive(p, r))
            return false;
    }
    return choices(p) >= CHOICES && ends_always(p, false) && ends_always(p, true);
}

static int list(uint64_t first, uint64_t count)
{
    for (uint64_t s = first; count > 0; s++) {
        program_random(s, &program);
        if (!is_fit(&program))
            continue;
        printf("%" PRIu64 " %u\n", s, program.ranks);
        count--;
    }
    return 0;
}

/* ---- outcomes ---- */

static void saw_status(const MPI_Status *status, int content)
{
    int cancelled;

    MPI_Test_cancelled(status, &cancelled);
    saw(cancelled);
    if (!cancelled)
        saw_message(status, content);
}

/* ---- communicators ---- */

static int translated(const struct step *s, int peer)
{
    uint32_t members = s->comm == 0 ? UINT32_MAX : program.members[s->comm];

    if (peer == ORK_ANY_SOURCE)
        return MPI_ANY_SOURCE;
    if (peer == ORK_PROC_NULL)
        return MPI_PROC_NULL;
    return __builtin_popcount(members & ((1u << peer) - 1));
}

static int tag_of(int tag)
{
    return tag == ORK_ANY_TAG ? MPI_ANY_TAG : tag;
}

static void construct(const struct step *s)
{
    bool member = program.members[s->of] >> me & 1;

    if (program.is_dup[s->of])
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[s->of]);
    else
        MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, me, &comm[s->of]);
}

static void collective(const struct step *s, unsigned at)
{
    bool waits = s->verb == VERB_COLL;
    int root = s->peer == ORK_NO_PEER ? 0 : translated(s, s->peer);
    MPI_Request *r = &request[at];
    int *mine = &buffer[at][0], *sum = &buffer[at][1];
    MPI_Comm c = comm[s->comm];

    if (s->mode == ORK_COLL_BARRIER)
        (void)(waits ? MPI_Barrier(c) : MPI_Ibarrier(c, r));
    else if (s->mode == ORK_COLL_BCAST)
        (void)(waits ? MPI_Bcast(sum, 1, MPI_INT, root, c)
                     : MPI_Ibcast(sum, 1, MPI_INT, root, c, r));
    else if (s->mode == ORK_COLL_REDUCE)
        (void)(waits ? MPI_Reduce(mine, sum, 1, MPI_INT, MPI_SUM, root, c)
                     : MPI_Ireduce(mine, sum, 1, MPI_INT, MPI_SUM, root, c, r));
    else
        (void)(waits ? MPI_Allreduce(mine, sum, 1, MPI_INT, MPI_SUM, c)
                     : MPI_Iallreduce(mine, sum, 1, MPI_INT, MPI_SUM, c, r));
}

/* ---- messages ---- */

static void send(const struct step *s, unsigned at)
{
    static int (*const blocking[])(const void *, int, MPI_Datatype, int, int,
                                   MPI_Comm) = {[ORK_SEND_STANDARD] = MPI_Send,
                                                [ORK_SEND_SYNCHRONOUS] = MPI_Ssend,
                                                [ORK_SEND_BUFFERED] = MPI_Bsend};
    static int (*const nonblocking[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                                      MPI_Request *) = {[ORK_SEND_STANDARD] = MPI_Isend,
                                                        [ORK_SEND_SYNCHRONOUS] = MPI_Issend,
                                                        [ORK_SEND_BUFFERED] = MPI_Ibsend};
    static int (*const persistent[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                                     MPI_Request *) = {[ORK_SEND_STANDARD] = MPI_Send_init,
                                                       [ORK_SEND_SYNCHRONOUS] = MPI_Ssend_init,
                                                       [ORK_SEND_BUFFERED] = MPI_Bsend_init};
    int peer = translated(s, s->peer);
    const int *mine = &buffer[at][0];

    if (s->verb == VERB_SEND)
        blocking[s->mode](mine, 1, MPI_INT, peer, s->tag, comm[s->comm]);
    else if (s->verb == VERB_ISEND)
        nonblocking[s->mode](mine, 1, MPI_INT, peer, s->tag, comm[s->comm], &request[at]);
    else
        persistent[s->mode](mine, 1, MPI_INT, peer, s->tag, comm[s->comm], &request[at]);
}

static void receive(const struct step *s, unsigned at)
{
    int peer = translated(s, s->peer), tag = tag_of(s->tag);
    int *got = &buffer[at][1];
    MPI_Status status;

    if (s->verb == VERB_IRECV)
        MPI_Irecv(got, 1, MPI_INT, peer, tag, comm[s->comm], &request[at]);
    else if (s->verb == VERB_RECV_INIT)
        MPI_Recv_init(got, 1, MPI_INT, peer, tag, comm[s->comm], &request[at]);
    if (s->verb != VERB_RECV)
        return;
    MPI_Recv(got, 1, MPI_INT, peer, tag, comm[s->comm], &status);
    saw_status(&status, *got);
}

static void sendrecv(const struct step *s, unsigned at)
{
    MPI_Status status;

    MPI_Sendrecv(&buffer[at][0], 1, MPI_INT, translated(s, s->peer), s->tag, &buffer[at][1], 1,
                 MPI_INT, translated(s, s->peer2), tag_of(s->tag2), comm[s->comm], &status);
    saw_status(&status, buffer[at][1]);
}

/* ---- what waits may as well poll ---- */

static bool polls(unsigned at)
{
    struct wfg_random random = {seed * 31 + (uint64_t)me * 1009 + at};

    return wfg_random_percent(&random, 40);
}

static void probe(const struct step *s, unsigned at)
{
    int peer = translated(s, s->peer), tag = tag_of(s->tag);
    bool once = s->verb == VERB_IPROBE, matched = s->verb == VERB_MPROBE;
    MPI_Comm c = comm[s->comm];
    MPI_Status status;
    int found = 0, vain = 0;

    if (matched && !polls(at)) {
        MPI_Mprobe(peer, tag, c, &message[at], &status);
        found = 1;
    } else if (!once && !polls(at)) {
        MPI_Probe(peer, tag, c, &status);
        found = 1;
    }
    for (; !found && (vain == 0 || !once); vain += !found) {
        if (matched)
            MPI_Improbe(peer, tag, c, &found, &message[at], &status);
        else
            MPI_Iprobe(peer, tag, c, &found, &status);
    }
    saw(vain);
    if (found)
        saw_message(&status, 0);
}

static void receive_probed(const struct step *s, unsigned at)
{
    MPI_Status status;

    if (s->verb == VERB_IMRECV) {
        MPI_Imrecv(&buffer[at][1], 1, MPI_INT, &message[s->of], &request[at]);
        return;
    }
    MPI_Mrecv(&buffer[at][1], 1, MPI_INT, &message[s->of], &status);
    saw_status(&status, buffer[at][1]);
}

struct set {
    int count;
    unsigned step[MAX_STEPS];
    MPI_Request request[MAX_STEPS];
    MPI_Status status[MAX_STEPS];
    int index[MAX_STEPS];
};

static void wait_for_all(struct set *set, bool poll)
{
    int flag = !poll;

    if (!poll)
        MPI_Waitall(set->count, set->request, set->status);
    while (!flag) {
        MPI_Testall(set->count, set->request, &flag, set->status);
        saw(flag);
    }
}

/* How many are complete. */
static int wait_for_one(struct set *set, bool poll)
{
    int flag = !poll;

    if (!poll)
        MPI_Waitany(set->count, set->request, set->index, set->status);
    while (!flag) {
        MPI_Testany(set->count, set->request, set->index, &flag, set->status);
        saw(flag);
    }
    return set->index[0] == MPI_UNDEFINED ? 0 : 1;
}

static int wait_for_some(struct set *set, bool poll, bool once)
{
    int count = 0;

    if (!poll && !once)
        MPI_Waitsome(set->count, set->request, &count, set->index, set->status);
    while (count == 0 && (poll || once)) {
        MPI_Testsome(set->count, set->request, &count, set->index, set->status);
        saw(count);
        if (once)
            break;
    }
    return count == MPI_UNDEFINED ? 0 : count;
}

static void complete(const struct step *s, unsigned at)
{
    struct set set = {.count = 0};
    int done = 0;

    for (unsigned i = 0; i < MAX_STEPS; i++) {
        if (!(s->set >> i & 1))
            continue;
        set.step[set.count] = i;
        set.request[set.count++] = request[i];
    }
    if (s->verb == VERB_WAIT) {
        wait_for_all(&set, polls(at));
        for (done = 0; done < set.count; done++)
            set.index[done] = done;
    } else if (s->verb == VERB_WAITANY) {
        done = wait_for_one(&set, polls(at));
    } else {
        done = wait_for_some(&set, polls(at), s->verb == VERB_TEST);
    }
    saw(done);
    for (int k = 0; k < done; k++) {
        unsigned step = set.step[set.index[k]];
        saw(step);
        if (is_receive(&program.step[me][step]))
            saw_status(&set.status[k], buffer[step][1]);
    }
    for (int i = 0; i < set.count; i++)
        request[set.step[i]] = set.request[i];
}

/* RATIONALE: a request is cancelled once. Open MPI 4.1 crashes in the second MPI_Cancel. */
static void each(const struct step *s)
{
    static uint32_t cancelled;

    for (unsigned i = 0; i < MAX_STEPS; i++) {
        if (!(s->set >> i & 1) || request[i] == MPI_REQUEST_NULL)
            continue;
        if (s->verb == VERB_START)
            MPI_Start(&request[i]);
        else if (s->verb == VERB_FREE)
            MPI_Request_free(&request[i]);
        else if (!(cancelled >> i & 1))
            MPI_Cancel(&request[i]);
    }
    cancelled |= s->verb == VERB_CANCEL ? s->set : 0;
}

/* ---- the program ---- */

static void go(const struct step *s, unsigned at)
{
    switch (s->verb) {
    case VERB_SEND:
    case VERB_ISEND:
    case VERB_SEND_INIT:
        send(s, at);
        break;
    case VERB_RECV:
    case VERB_IRECV:
    case VERB_RECV_INIT:
        receive(s, at);
        break;
    case VERB_SENDRECV:
        sendrecv(s, at);
        break;
    case VERB_PROBE:
    case VERB_IPROBE:
    case VERB_MPROBE:
        probe(s, at);
        break;
    case VERB_MRECV:
    case VERB_IMRECV:
        receive_probed(s, at);
        break;
    case VERB_WAIT:
    case VERB_WAITANY:
    case VERB_WAITSOME:
    case VERB_TEST:
        complete(s, at);
        break;
    case VERB_START:
    case VERB_CANCEL:
    case VERB_FREE:
        each(s);
        break;
    case VERB_COLL:
    case VERB_ICOLL:
        collective(s, at);
        break;
    case VERB_CONSTRUCT:
        construct(s);
        break;
    case VERB_FINALIZE:
        break;
    }
}

static int run(void)
{
    static char room[1 << 16];

    begin(NULL, NULL);
    program_random(seed, &program);
    if (ranks != program.ranks) {
        fprintf(stderr, "program %" PRIu64 " wants %u ranks\n", seed, program.ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Buffer_attach(room, sizeof(room));
    comm[0] = MPI_COMM_WORLD;
    for (unsigned i = 0; i < program.steps[me]; i++) {
        request[i] = MPI_REQUEST_NULL;
        buffer[i][0] = me * 100 + (int)i;
    }
    for (unsigned i = 0; i < program.steps[me]; i++) {
        pause_perhaps();
        go(&program.step[me][i], i);
    }
    printf("rank %d: digest %016" PRIx64 "\n", me, digest.value);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    seed = wfg_random_argument(argc, argv, argc > 2 ? 2 : 1, 1);
    if (argc == 4 && strcmp(argv[1], "--list") == 0)
        return list(seed, wfg_random_argument(argc, argv, 3, 1));
    if (argc == 3 && strcmp(argv[1], "--show") == 0) {
        program_random(seed, &program);
        program_print(&program, stdout);
        return 0;
    }
    if (argc != 2) {
        fprintf(stderr, "usage: random_program SEED | --list SEED N | --show SEED\n");
        return 2;
    }
    return run();
}
