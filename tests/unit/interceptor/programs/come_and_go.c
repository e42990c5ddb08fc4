/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread after the other calls MPI and ends. Argument: "multiple" or "serialized". */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 100 };

static void *call_once(void *unused)
{
    int in = 0, out = 0;

    MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    int level = strcmp(argv[1], "multiple") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;

    MPI_Init_thread(&argc, &argv, level, &provided);
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, call_once, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return provided < level;
}
