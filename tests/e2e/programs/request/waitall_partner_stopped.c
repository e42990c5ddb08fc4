/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 waits for a long message to rank 2, which is stopped inside its receive, and for a short
 * one to rank 1, which receives it too late. Only buffering lets the short one go on; but what
 * really holds rank 0 up is the long one, and rank 2 only waits for the others in MPI_Finalize.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1}
 * CALL: 0 MPI_Waitall HERE
 * OUTPUT: all received
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONG = 1 << 22 };

/* A child stops this process after half a second, for four. */
static void be_stopped(void)
{
    if (fork() != 0)
        return;
    usleep(500000);
    kill(getppid(), SIGSTOP);
    sleep(4);
    kill(getppid(), SIGCONT);
    _exit(0);
}

int main(int argc, char **argv)
{
    int rank;
    int one = 1;
    MPI_Request request[2];
    char *many = calloc(LONG, 1);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        sleep(1);
        MPI_Isend(many, LONG, MPI_CHAR, 2, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&one, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
        MPI_Send(&one, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&one, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&one, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        be_stopped();
        MPI_Recv(many, LONG, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("all received\n");
    }
    MPI_Finalize();
    free(many);
    return 0;
}
