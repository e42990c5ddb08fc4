/* SPDX-License-Identifier: BSD-3-Clause */
/* Many communicators of different sizes in turn, of which some are freed and others made: the
 * library uses their handles again. A root that exists is right on each of them; only the last one
 * is wrong (MPI-3.1 section 5.4).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * SAYS: root is 2 in MPI_Bcast .* of ranks 0-2, but the group has 1 to 2 processes
 * SAYS: 1 finding
 * SAYS_LINE: HERE
 * OUTPUT: 1 errors
 */
#include <mpi.h>
#include <stdio.h>

enum { KEPT = 40, ROUNDS = 100 };

static int rank;

static MPI_Comm make(int is_small)
{
    MPI_Comm made;

    if (is_small)
        MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : 1, rank, &made);
    else
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
    return made;
}

/* The last rank of the group is the root. */
static void use(MPI_Comm comm)
{
    int size, word = rank;

    MPI_Comm_size(comm, &size);
    MPI_Bcast(&word, 1, MPI_INT, size - 1, comm);
}

int main(int argc, char **argv)
{
    MPI_Comm kept[KEPT], comm;
    int word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < KEPT; i++)
        kept[i] = make(i % 3 == 0);
    for (int round = 0; round < ROUNDS; round++) {
        comm = make(round % 2);
        use(comm);
        MPI_Comm_free(&comm);
        for (int i = 0; i < KEPT; i++)
            use(kept[i]);
        MPI_Comm_free(&kept[round % KEPT]);
        kept[round % KEPT] = make(round % 5 < 2);
    }
    for (int i = 0; i < KEPT; i++)
        MPI_Comm_free(&kept[i]);
    comm = make(1);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int errors = MPI_Bcast(&word, 1, MPI_INT, 2, comm) != MPI_SUCCESS; /* HERE */
    if (rank == 0)
        printf("%d errors\n", errors);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
