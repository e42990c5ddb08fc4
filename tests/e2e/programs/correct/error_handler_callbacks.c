/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers of a communicator, a window and a file that make calls of their own: they tell
 * the neighbour, and all count together what went wrong.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: invalid-argument warning
 * OUTPUT: comm 2 window 2 file 2
 */
#include <mpi.h>
#include <stdio.h>

enum { COMM, WINDOW, FILES, KINDS };

static int seen[KINDS];

static void tell(int kind, int code)
{
    int rank;
    int length;
    int class;
    int word = 1;
    char text[MPI_MAX_ERROR_STRING];

    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv_replace(&word, 1, MPI_INT, 1 - rank, kind, 1 - rank, kind, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    seen[kind] += class != MPI_SUCCESS && length > 0 ? word : 0;
}

static void on_comm_error(MPI_Comm *comm, int *code, ...)
{
    int one = 1;
    int sum;

    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *comm);
    tell(COMM, *code);
}

static void on_window_error(MPI_Win *window, int *code, ...)
{
    (void)window;
    tell(WINDOW, *code);
}

static void on_file_error(MPI_File *file, int *code, ...)
{
    (void)file;
    tell(FILES, *code);
}

static void provoke(int rank)
{
    int word = 0;
    MPI_Comm copy;
    MPI_Win window;
    MPI_File file;
    MPI_Errhandler handler;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_create_errhandler(on_comm_error, &handler);
    MPI_Comm_set_errhandler(copy, handler);
    MPI_Errhandler_free(&handler);
    MPI_Send(&word, 1, MPI_INT, 99, 0, copy);
    MPI_Win_create(&word, sizeof(word), 1, MPI_INFO_NULL, copy, &window);
    MPI_Win_create_errhandler(on_window_error, &handler);
    MPI_Win_set_errhandler(window, handler);
    MPI_Errhandler_free(&handler);
    MPI_Win_call_errhandler(window, MPI_ERR_WIN);
    MPI_Win_free(&window);
    MPI_File_create_errhandler(on_file_error, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    MPI_Errhandler_free(&handler);
    MPI_File_open(MPI_COMM_SELF, rank == 0 ? "no/such/file" : "nor/this/one", MPI_MODE_RDONLY,
                  MPI_INFO_NULL, &file);
    MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER);
    MPI_Comm_free(&copy);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    provoke(rank);
    seen[WINDOW] *= 2;
    seen[FILES] *= 2;
    if (rank == 0)
        printf("comm %d window %d file %d\n", seen[COMM], seen[WINDOW], seen[FILES]);
    MPI_Finalize();
    return 0;
}
