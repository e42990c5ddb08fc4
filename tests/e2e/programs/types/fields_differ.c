/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.3.1, for the elements of derived datatypes: the second field of a struct is
 * sent as MPI_DOUBLE and received, after a matched probe, as MPI_LONG.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: rank 0 sends MPI_DOUBLE as element 2 of 6 \(MPI_Send at .*, but rank 1 receives MPI_LONG as
 * element 2 of 8 \(MPI_Mrecv at
 */
#include <mpi.h>
#include <stddef.h>

struct pair {
    int number;
    double value;
};

static MPI_Datatype pair_of(MPI_Datatype second)
{
    const int length[2] = {1, 1};
    const MPI_Aint at[2] = {offsetof(struct pair, number), offsetof(struct pair, value)};
    const MPI_Datatype field[2] = {MPI_INT, second};
    MPI_Datatype type;

    MPI_Type_create_struct(2, length, at, field, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int rank;
    struct pair pair[4] = {{0, 0.0}};
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = pair_of(rank == 0 ? MPI_DOUBLE : MPI_LONG);
    if (rank == 0) {
        MPI_Send(pair, 3, type, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(pair, 4, type, &message, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
