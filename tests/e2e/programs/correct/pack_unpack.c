/* SPDX-License-Identifier: BSD-3-Clause */
/* Packed messages: sent as MPI_PACKED and received with types, and the other way round; also in a
 * broadcast and in the external representation.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 3 1.5 4 2.5 5
 */
#include <mpi.h>
#include <stdio.h>

static void pack(int number, double weight, char *space, int size, int *place)
{
    *place = 0;
    MPI_Pack(&number, 1, MPI_INT, space, size, place, MPI_COMM_WORLD);
    MPI_Pack(&weight, 1, MPI_DOUBLE, space, size, place, MPI_COMM_WORLD);
}

static void unpack(const char *space, int size, int *number, double *weight)
{
    int place = 0;

    MPI_Unpack(space, size, &place, number, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(space, size, &place, weight, 1, MPI_DOUBLE, MPI_COMM_WORLD);
}

static int externally(int number)
{
    char space[16];
    MPI_Aint size;
    MPI_Aint place = 0;
    int back = 0;

    MPI_Pack_external_size("external32", 1, MPI_INT, &size);
    MPI_Pack_external("external32", &number, 1, MPI_INT, space, size, &place);
    MPI_Bcast(space, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    place = 0;
    MPI_Unpack_external("external32", space, size, &place, &back, 1, MPI_INT);
    return back;
}

int main(int argc, char **argv)
{
    int rank;
    int size[2];
    int place;
    int number = 0;
    double weight = 0;
    char space[100];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size[0]);
    MPI_Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &size[1]);
    pack(3 + rank, 1.5 + rank, space, size[0] + size[1], &place);
    if (rank == 0) {
        MPI_Send(space, place, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
        MPI_Bcast(space, size[0] + size[1], MPI_PACKED, 1, MPI_COMM_WORLD);
        unpack(space, place, &number, &weight);
        printf("3 1.5 %d %.1f %d\n", number, weight, externally(5));
    } else {
        char in[100];

        MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_PACKED, &place);
        MPI_Recv(in, place, MPI_PACKED, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unpack(in, place, &number, &weight);
        if (number != 3 || weight < 1.5)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Bcast(space, size[0] + size[1], MPI_PACKED, 1, MPI_COMM_WORLD);
        externally(0);
    }
    MPI_Finalize();
    return 0;
}
