/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread calls MPI while another one waits in MPI_Recv, but the level is MPI_THREAD_SERIALIZED
 * (MPI-3.1 section 12.4.3).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: thread-level error
 * SAYS: MPI_Iprobe \(serialized_wrong.c:\d+\) of rank 1 is made while another thread is in MPI_Recv
 * SAYS_LINE: HERE
 */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static const char *const name = "looked.tmp"; /* a file that tells rank 0 to send */
static atomic_int begun;

static void *look(void *unused)
{
    int flag;

    (void)unused;
    while (!atomic_load(&begun))
        usleep(1000);
    usleep(300000);
    MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* HERE */
    close(open(name, O_CREAT | O_WRONLY, 0600));
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, word = 0, provided;
    pthread_t thread;

    unlink(name);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (access(name, F_OK) != 0)
            usleep(10000);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        pthread_create(&thread, NULL, look, NULL);
        atomic_store(&begun, 1);
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        pthread_join(thread, NULL);
        unlink(name);
    }
    MPI_Finalize();
    return 0;
}
