/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sleeps inside MPI_Finalize, in what frees an attribute; the others cannot leave without
 * it, or do. No call is missing: the report says where they are.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * INTERRUPT: 14
 * SAYS: hang: .* ha(s|ve) been inside MPI_Finalize for 10 seconds
 * EXIT: 130
 * PLAIN: hangs
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int sleep_for_ever(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    for (;;)
        pause();
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank;
    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sleep_for_ever, &key, NULL);
    if (rank == 1)
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    if (rank == 0) {
        printf("begun\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
