/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 4.1.11, 11.3.1 and 11.3.2: entries that are received, got or put must not
 * overlap. Here those of one element do not, but the extent is shortened to one of its two blocks:
 * elements that follow each other have a block in common. To send them is allowed.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: datatype-misuse error
 * FINDING: buffer-overlap warning
 * SAYS: 3 elements of datatype in MPI_Irecv \(.*\) of ranks 0 and 1 overlap: the extent of the datatype of MPI_Type_create_resized
 * SAYS: The datatype has an extent of 4 bytes, and its data take 8\.
 * SAYS: 2 elements of origin_datatype in MPI_Get \(.*\) of ranks 0 and 1 overlap
 * SAYS: 2 elements of target_datatype in MPI_Put \(.*\) of ranks 0 and 1 overlap
 * SAYS: MPI_Allgather \(.*\) of ranks 0 and 1 receives bytes 4 to 7 of its receive buffer more than
 * SAYS: 4 findings
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word[20] = {0}, other[20] = {0}, memory[20] = {0};
    int rank;
    MPI_Datatype two, type;
    MPI_Request request;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_create_resized(two, 0, sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Irecv(other, 3, type, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(word, 3, type, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allgather(word, 4, MPI_INT, other, 2, type, MPI_COMM_SELF);

    MPI_Win_fence(0, win);
    MPI_Get(other, 2, type, 1 - rank, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Put(word, 4, MPI_INT, 1 - rank, 0, 2, type, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&two);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
