/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of the program to the buffers of pending operations: a send buffer is changed
 * (MPI-3.1 section 3.7.2), a receive buffer is read or changed, in plain code, by an atomic
 * operation, by memcpy and memset, and by code that only says so; the buffers of a persistent
 * receive and of a collective call (section 5.12), too. Each happens in rank 0 only, at one place.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-access error
 * SAYS: the store \(buffers_wrong.c:\d+\) of rank 0 changes bytes 4 to 7 of a buffer that the pending MPI_Isend \(buffers_wrong.c:\d+\) reads
 * SAYS: the load \(buffers_wrong.c:\d+\) of rank 0 reads bytes 8 to 15 of a buffer that the pending MPI_Irecv \(buffers_wrong.c:\d+\) writes
 * SAYS: the store \(buffers_wrong.c:\d+\) of rank 0 changes byte 1 of a buffer that the pending MPI_Irecv
 * SAYS: the store \(buffers_wrong.c:\d+\) of rank 0 changes bytes 0 to 3 of a buffer that the pending MPI_Irecv
 * SAYS: the load \(buffers_wrong.c:\d+\) of rank 0 reads bytes 0 to 63 of a buffer that the pending MPI_Irecv
 * SAYS: the store \(buffers_wrong.c:\d+\) of rank 0 changes bytes 8 to 40 of a buffer that the pending MPI_Isend
 * SAYS: the store \(buffers_wrong.c:\d+\) of rank 0 changes bytes 60 to 63 of a buffer that the pending MPI_Start
 * SAYS: the load \(buffers_wrong.c:\d+\) of rank 0 reads bytes 0 to 7 of a buffer that the pending MPI_Ibcast
 * SAYS: the store \(buffers_wrong.c:\d+\) of rank 0 changes bytes 16 to 19 of a buffer that the pending MPI_Isend
 * SAYS: The buffer of a receive or a read must not be accessed until it is complete \(MPI-3.1 section 3.7.2\)
 * SAYS: rank 0: store at .*buffers_wrong.c:\d+ in \w+
 * SAYS: orknot: 9 findings \(9 errors\)
 * SAYS_LINE: HERE
 * EXIT: 66
 */
#include <mpi.h>
#include <orknot/memory.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { INTS = 16 };

static int rank, *words, other[INTS];
static volatile int at = 20; /* the compiler does not know it */
static volatile double seen;

static MPI_Request send(void)
{
    MPI_Request request;

    if (rank == 0)
        MPI_Isend(words, INTS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(words, INTS, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    return request;
}

/* The message comes only after the access. */
static MPI_Request receive(void)
{
    MPI_Request request = MPI_REQUEST_NULL;

    if (rank == 0)
        MPI_Irecv(words, INTS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    return request;
}

static void complete(MPI_Request request)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && request == MPI_REQUEST_NULL)
        MPI_Send(other, INTS, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void change_what_is_sent(void)
{
    MPI_Request request = send();

    if (rank == 0)
        words[1] = 1; /* HERE */
    complete(request);
}

static void read_what_is_received(void)
{
    MPI_Request request = receive();

    if (rank == 0)
        seen = *(const double *)(const void *)&words[2]; /* HERE */
    complete(request);
}

static void change_what_is_received(void)
{
    MPI_Request request = receive();

    if (rank == 0)
        ((char *)words)[1] = 1; /* HERE */
    complete(request);
}

static void count_atomically(void)
{
    MPI_Request request = receive();

    if (rank == 0)
        atomic_fetch_add((_Atomic int *)words, 1); /* HERE */
    complete(request);
}

static void copy_what_is_received(void)
{
    MPI_Request request = receive();

    if (rank == 0)
        memcpy(other, words, sizeof(int) * INTS - 20 + (size_t)at); /* HERE */
    complete(request);
}

static void fill_what_is_sent(void)
{
    MPI_Request request = send();

    if (rank == 0)
        memset(words + 2, 0, 13 + (size_t)at); /* HERE */
    complete(request);
}

static void change_in_a_persistent_receive(void)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Recv_init(words, INTS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        words[INTS - 1] = 1; /* it is not active */
        MPI_Start(&request);
        words[INTS - 1] = 2; /* HERE */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(other, INTS, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        words[INTS - 1] = 3;
        MPI_Request_free(&request);
    }
}

static void read_what_is_broadcast(void)
{
    MPI_Request request;

    if (rank == 1) /* the root sends only after the access */
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibcast(words, INTS, MPI_INT, 1, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        seen = *(const double *)(const void *)words; /* HERE */
        MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void say_it(void)
{
    MPI_Request request = send();

    if (rank == 0)
        orknot_memory_store(words + 4, sizeof(int)); /* HERE */
    complete(request);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    words = calloc(INTS, sizeof(int));
    if (words == NULL)
        return 1;
    change_what_is_sent();
    read_what_is_received();
    change_what_is_received();
    count_atomically();
    copy_what_is_received();
    fill_what_is_sent();
    change_in_a_persistent_receive();
    read_what_is_broadcast();
    say_it();
    free(words);
    MPI_Finalize();
    return 0;
}
