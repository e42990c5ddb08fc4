/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be called at any time: inquiries (MPI-3.1 section 8.7), and the tool information
 * interface (14.3.4), also in another thread.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: before: 0 0, after: 1 1
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

struct state {
    int begun, over;
};

static void *inquire(void *out)
{
    struct state *state = out;
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int level, major, minor, length, variables;

    MPI_Initialized(&state->begun);
    MPI_Finalized(&state->over);
    MPI_Get_version(&major, &minor);
    MPI_Get_library_version(name, &length);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_cvar_get_num(&variables);
    MPI_T_finalize();
    return NULL;
}

int main(int argc, char **argv)
{
    struct state before, between, after;
    pthread_t thread;
    int rank;

    pthread_create(&thread, NULL, inquire, &before);
    pthread_join(thread, NULL);
    if (!before.begun)
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    inquire(&between);
    if (!between.over)
        MPI_Finalize();
    inquire(&after);
    if (rank == 0)
        printf("before: %d %d, after: %d %d\n", before.begun, before.over, after.begun, after.over);
    return 0;
}
