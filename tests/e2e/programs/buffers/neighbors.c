/* SPDX-License-Identifier: BSD-3-Clause */
/* A halo exchange in one array: rank 0 receives into the last of the elements that it sends
 * (MPI-3.1 section 2.3: a call must not write an argument that overlaps another one). Ranks 1 and 2
 * receive beside what they send, which is right.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Neighbor_alltoallv \(neighbors.c:\d+\) of rank 0 sends bytes 16 to 19 of its receive buffer
 */
#include <mpi.h>

enum { INNER = 4 };

int main(int argc, char **argv)
{
    int rank, cells[INNER + 2] = {0}, size, periodic = 1;
    int ones[2] = {1, 1}, inner[2] = {1, INNER}, halo[2] = {0, INNER + 1};
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    if (rank == 0)
        halo[1] = INNER;
    MPI_Neighbor_alltoallv(cells, ones, inner, MPI_INT, cells, ones, halo, MPI_INT, ring);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
