/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs in which several threads of a rank receive messages from the same sources. All
 * ranks draw the same. Which thread gets which message is open, but every receive has room for its
 * message and its datatype. FIRST COUNT [wrong]: programs FIRST .. FIRST + COUNT - 1, one after the
 * other; `wrong`: the last one also sends a message of another datatype than its receive has. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 3, THREADS = 4, RANKS = 4, LONGEST = 48, MESSAGES = 24, WRONG_TAG = 77 };

/* How the threads of a rank find out what they receive. */
enum way {
    MATCHED, /* MPI_Mprobe or MPI_Improbe */
    LOCKED,  /* MPI_Probe or MPI_Iprobe and the receive, with a lock around both */
    EQUAL,   /* all messages have one length and datatype */
    TURNS,   /* a lock gives sends and receives one order: each length is known */
    WAYS
};

/* The messages of one communicator. */
struct class
{
    enum way way;
    int messages; /* from each sender to each receiver */
    int tags;
    bool any_source, any_tag;
    bool has_room; /* EQUAL: the receives are longer */
};

static struct {
    int threads, senders, classes, receivers;
    bool all_send; /* each rank sends to each other one; else the first ones to the last ones */
    struct class class[CLASSES];
} program;

static int rank, size;
static MPI_Comm comm[CLASSES];
static unsigned long state;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

/* Of one thread; which numbers come does not matter. */
static unsigned toss(unsigned *own, unsigned n)
{
    *own = *own * 1103515245u + 12345u;
    return (*own >> 16) % n;
}

static void draw_program(unsigned long seed)
{
    state = seed * 2862933555777941757ul + 3037000493ul;
    draw(2);
    program.threads = 2 + (int)draw(THREADS - 1);
    program.classes = 1 + (int)draw(CLASSES);
    program.receivers = 1 + (int)draw((unsigned)size - 1);
    program.all_send = draw(3) == 0;
    program.senders = program.all_send ? 1 : program.threads;
    for (int c = 0; c < program.classes; c++) {
        struct class *k = &program.class[c];
        k->way = (enum way)draw(WAYS);
        k->messages = 2 + (int)draw(MESSAGES - 1);
        k->tags = k->way == TURNS ? 1 : 1 + (int)draw(3);
        k->any_source = k->way != TURNS && draw(2) == 0;
        k->any_tag = k->way != TURNS && draw(2) == 0;
        k->has_room = draw(2) == 0;
    }
}

static bool sends(int who)
{
    return program.all_send || who < size - program.receivers;
}

static bool receives(int who)
{
    return program.all_send || who >= size - program.receivers;
}

static int count_of(const struct class *k, int i)
{
    return k->way == EQUAL ? 5 : 1 + i * 11 % (LONGEST - 1);
}

/* RATIONALE: a receiver knows the datatype of a message by its length. */
static MPI_Datatype type_of(int count)
{
    return count % 2 == 0 ? MPI_INT : MPI_FLOAT;
}

/* ---- shared by the threads of a rank ---- */

static pthread_mutex_t lock[CLASSES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                        PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t tickets = PTHREAD_MUTEX_INITIALIZER;
/* Messages that are still to be received, by class, source and tag; with wildcards: source or tag
 * 0 stands for all. */
static int left[CLASSES][RANKS][3];
/* TURNS: the next one, by class and other rank. */
static int next_sent[CLASSES][RANKS], next_received[CLASSES][RANKS];

static void fill_tickets(void)
{
    memset(left, 0, sizeof(left));
    memset(next_sent, 0, sizeof(next_sent));
    memset(next_received, 0, sizeof(next_received));
    for (int c = 0; c < program.classes; c++) {
        const struct class *k = &program.class[c];
        for (int s = 0; s < size; s++) {
            for (int i = 0; i < k->messages && s != rank && sends(s); i++)
                left[c][k->any_source ? 0 : s][k->any_tag ? 0 : i % k->tags]++;
        }
    }
}

/* A message to receive: of which class, source and tag? False: there are no more. */
static bool take_ticket(unsigned *own, int *c, int *source, int *tag)
{
    unsigned first = toss(own, CLASSES * RANKS * 3);
    bool found = false;

    pthread_mutex_lock(&tickets);
    for (unsigned i = 0; i < CLASSES * RANKS * 3 && !found; i++) {
        unsigned at = (first + i) % (CLASSES * RANKS * 3);
        *c = (int)(at / (RANKS * 3));
        *source = (int)(at / 3 % RANKS);
        *tag = (int)(at % 3);
        found = left[*c][*source][*tag] > 0;
        left[*c][*source][*tag] -= found;
    }
    pthread_mutex_unlock(&tickets);
    if (found && program.class[*c].any_source)
        *source = MPI_ANY_SOURCE;
    if (found && program.class[*c].any_tag)
        *tag = MPI_ANY_TAG;
    return found;
}

/* ---- receiving ---- */

static void finish(MPI_Request *request, unsigned *own)
{
    int done = 0;

    while (toss(own, 2) == 0 && !done)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (!done)
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void receive_plain(MPI_Comm on, int source, int tag, int count, int room, unsigned *own)
{
    MPI_Datatype type = type_of(count);
    MPI_Request request;
    int words[2 * LONGEST];

    switch (toss(own, 4)) {
    case 0:
        MPI_Irecv(words, room, type, source, tag, on, &request);
        finish(&request, own);
        break;
    case 1:
        MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, words, room, type, source, tag, on,
                     MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Recv_init(words, room, type, source, tag, on, &request);
        MPI_Start(&request);
        finish(&request, own);
        MPI_Request_free(&request);
        break;
    default:
        MPI_Recv(words, room, type, source, tag, on, MPI_STATUS_IGNORE);
        break;
    }
}

static void receive_matched(MPI_Comm on, int source, int tag, unsigned *own)
{
    int words[LONGEST], bytes, found = 0;
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;

    while (toss(own, 4) != 0 && !found)
        MPI_Improbe(source, tag, on, &found, &message, &status);
    if (!found)
        MPI_Mprobe(source, tag, on, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (toss(own, 2) == 0) {
        MPI_Mrecv(words, bytes / 4, type_of(bytes / 4), &message, MPI_STATUS_IGNORE);
    } else {
        MPI_Imrecv(words, bytes / 4, type_of(bytes / 4), &message, &request);
        finish(&request, own);
    }
}

static void receive_locked(int c, int source, int tag, unsigned *own)
{
    int bytes, found = 0;
    MPI_Status status;

    pthread_mutex_lock(&lock[c]);
    while (toss(own, 4) != 0 && !found)
        MPI_Iprobe(source, tag, comm[c], &found, &status);
    if (!found)
        MPI_Probe(source, tag, comm[c], &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    receive_plain(comm[c], status.MPI_SOURCE, status.MPI_TAG, bytes / 4, bytes / 4, own);
    pthread_mutex_unlock(&lock[c]);
}

static void receive_in_turn(int c, int source, unsigned *own)
{
    pthread_mutex_lock(&lock[c]);
    int count = count_of(&program.class[c], next_received[c][source]++);
    receive_plain(comm[c], source, 0, count, count, own);
    pthread_mutex_unlock(&lock[c]);
}

static void *receive(void *thread)
{
    unsigned own = (unsigned)(size_t)thread + 100u * (unsigned)rank;
    int c, source, tag;

    while (take_ticket(&own, &c, &source, &tag)) {
        const struct class *k = &program.class[c];
        if (k->way == MATCHED)
            receive_matched(comm[c], source, tag, &own);
        else if (k->way == LOCKED)
            receive_locked(c, source, tag, &own);
        else if (k->way == TURNS)
            receive_in_turn(c, source, &own);
        else
            receive_plain(comm[c], source, tag, count_of(k, 0),
                          k->has_room ? 2 * LONGEST : count_of(k, 0), &own);
    }
    return NULL;
}

/* ---- sending ---- */

/* RATIONALE: all messages have the same contents, and no sender waits before it has started all of
 * its messages. So a receiver that waits with a lock held gets its message. */
static int zeros[LONGEST];
static int num_pending; /* if one thread sends */
static MPI_Request pending[THREADS][CLASSES * RANKS * MESSAGES];

static void send_one(int c, int dest, int i, bool is_synchronous, MPI_Request *request)
{
    const struct class *k = &program.class[c];
    int count = count_of(k, i), tag = i % k->tags;

    if (is_synchronous)
        MPI_Issend(zeros, count, type_of(count), dest, tag, comm[c], request);
    else
        MPI_Isend(zeros, count, type_of(count), dest, tag, comm[c], request);
}

/* Messages number `i` of all classes to all ranks, as far as they are those of thread `me`. */
static int send_each(int i, int me, unsigned *own, MPI_Request *request)
{
    int n = 0;

    for (int at = 0; at < program.classes * size; at++) {
        int c = at / size, dest = at % size;
        const struct class *k = &program.class[c];
        bool is_turn = k->way == TURNS;
        if (i >= k->messages || !receives(dest) || dest == rank || (i + at) % program.senders != me)
            continue;
        if (is_turn)
            pthread_mutex_lock(&lock[c]);
        send_one(c, dest, is_turn ? next_sent[c][dest]++ : i, toss(own, 3) == 0, &request[n++]);
        if (is_turn)
            pthread_mutex_unlock(&lock[c]);
    }
    return n;
}

static void *send(void *thread)
{
    int me = (int)(size_t)thread, n = 0;
    unsigned own = (unsigned)me + 7u;

    for (int i = 0; i < MESSAGES; i++)
        n += send_each(i, me, &own, pending[me] + n);
    if (!program.all_send)
        MPI_Waitall(n, pending[me], MPI_STATUSES_IGNORE);
    else
        num_pending = n;
    return NULL;
}

/* ---- a program ---- */

static void run_threads(void *(*start)(void *))
{
    pthread_t thread[THREADS];

    for (int i = 1; i < program.threads; i++)
        pthread_create(&thread[i], NULL, start, (void *)(size_t)i); /* NOLINT */
    start(NULL);
    for (int i = 1; i < program.threads; i++)
        pthread_join(thread[i], NULL);
}

static void run_wrong(void)
{
    int words[4] = {0};

    if (rank == 0)
        MPI_Send(words, 4, MPI_INT, 1, WRONG_TAG, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(words, 4, MPI_FLOAT, 0, WRONG_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run(unsigned long seed)
{
    draw_program(seed);
    fill_tickets();
    if (program.all_send) {
        send(NULL);
        run_threads(receive);
        MPI_Waitall(num_pending, pending[0], MPI_STATUSES_IGNORE);
    } else {
        run_threads(sends(rank) ? send : receive);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (provided < MPI_THREAD_MULTIPLE || size < 2 || size > RANKS) {
        fprintf(stderr, "needs MPI_THREAD_MULTIPLE and 2 to %d ranks\n", RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int c = 0; c < CLASSES; c++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[c]);
    for (unsigned long i = 0; i < count; i++)
        run(first + i);
    if (argc > 3)
        run_wrong();
    for (int c = 0; c < CLASSES; c++)
        MPI_Comm_free(&comm[c]);
    MPI_Finalize();
    return 0;
}
