/* SPDX-License-Identifier: BSD-3-Clause */
/* The callback of a window's attribute makes calls of its own inside MPI_Win_free, and once more
 * for MPI_COMM_SELF inside MPI_Finalize.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: window 3
 * OUTPUT: self 3
 */
#include <mpi.h>
#include <stdio.h>

static void count_ranks(const char *word)
{
    int rank;
    int one = 1;
    int sum = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %d\n", word, sum);
}

static int window_farewell(MPI_Win window, int key, void *value, void *extra)
{
    (void)window;
    (void)key;
    (void)value;
    count_ranks(extra);
    return MPI_SUCCESS;
}

static int comm_farewell(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    count_ranks(extra);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int window_key;
    int comm_key;
    int cell = 0;
    int *base;
    int found;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, window_farewell, &window_key, "window");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_farewell, &comm_key, "self");
    MPI_Comm_set_attr(MPI_COMM_SELF, comm_key, &cell);
    MPI_Win_create(&cell, sizeof(cell), sizeof(cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &found);
    MPI_Win_set_attr(window, window_key, base);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Win_free_keyval(&window_key);
    MPI_Finalize();
    return 0;
}
