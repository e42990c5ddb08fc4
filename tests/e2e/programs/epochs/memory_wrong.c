/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks access memory behind the end of their own window, and before its start by a negative
 * displacement in the datatype; attach overlapping memory to a dynamic window, and detach what
 * is not attached; and use functions that are for other kinds of windows (MPI-3.1 sections 11.3,
 * 11.2.3 and 11.2.4). The windows return errors.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: window-misuse warning
 * SAYS: window-bounds: MPI_Get \(memory_wrong.c:\d+\) of ranks 0 and 1 accesses bytes 4 to 11
 * SAYS: window-bounds: MPI_Get .* accesses bytes -4 to 3 of its own memory
 * SAYS: MPI_Win_attach .* attaches memory that overlaps that of MPI_Win_attach .memory_wrong.c
 * SAYS: MPI_Win_detach .* detaches memory that is not attached
 * SAYS: MPI_Win_attach .* is called for a window that is not dynamic
 * SAYS: MPI_Win_shared_query .* is called for a window without shared memory
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int memory[8], pair[2];

static void dynamic_window(void)
{
    MPI_Win win;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_attach(win, memory, 4 * sizeof(int));     /* HERE */
    MPI_Win_attach(win, &memory[3], 4 * sizeof(int)); /* HERE */
    MPI_Win_detach(win, &memory[1]);                  /* HERE */
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    int lengths[2] = {1, 1}, places[2] = {0, -1}, disp_unit, rank;
    int *cells;
    MPI_Aint size;
    MPI_Datatype back;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &back);
    MPI_Type_commit(&back);
    MPI_Win_create(memory, 2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Get(pair, 2, MPI_INT, rank, 1, 2, MPI_INT, win); /* HERE */
    MPI_Get(pair, 2, MPI_INT, rank, 0, 1, back, win);    /* HERE */
    MPI_Win_unlock(rank, win);
    MPI_Win_attach(win, &memory[4], sizeof(int));                       /* HERE */
    MPI_Win_shared_query(win, rank, &size, &disp_unit, (void *)&cells); /* HERE */
    MPI_Win_free(&win);
    MPI_Type_free(&back);
    dynamic_window();
    MPI_Finalize();
    return 0;
}
