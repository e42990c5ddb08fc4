/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory attached to a window that was made without any.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: got 41
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    int out = 41;
    MPI_Aint at[2];
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, &value, sizeof(value));
    MPI_Get_address(&value, &at[rank]);
    MPI_Allgather(MPI_IN_PLACE, 1, MPI_AINT, at, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_fence(0, window);
    if (rank == 0)
        MPI_Put(&out, 1, MPI_INT, 1, at[1], 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (rank == 1)
        printf("got %d\n", value);
    MPI_Win_detach(window, &value);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
