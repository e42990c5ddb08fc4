/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows, files, groups and topologies with wrong arguments fail and the program goes on with
 * right ones.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: invalid-argument warning
 * FINDING: invalid-handle warning
 * FINDING: file-misuse warning
 * OUTPUT: 0 unexpected, sum 3
 */
#include <mpi.h>
#include <stdio.h>

static int unexpected;

static void expect(int code, int wanted, const char *call)
{
    int class;

    MPI_Error_class(code, &class);
    if (class != wanted) {
        printf("%s: class %d instead of %d\n", call, class, wanted);
        unexpected++;
    }
}

#define EXPECT(wanted, call) expect((call), (wanted), #call)

static void wrong_files(void)
{
    int word = 0;
    MPI_File file;

    EXPECT(MPI_ERR_NO_SUCH_FILE,
           MPI_File_open(MPI_COMM_WORLD, "not-there", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    EXPECT(MPI_ERR_AMODE, MPI_File_open(MPI_COMM_WORLD, "wrong-mode",
                                        MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    file = MPI_FILE_NULL;
    EXPECT(MPI_ERR_FILE, MPI_File_write_all(file, &word, 1, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_FILE, MPI_File_close(&file));
}

static void wrong_windows(void)
{
    int cell = 0;
    MPI_Win window;
    MPI_Win none = MPI_WIN_NULL;

    EXPECT(MPI_ERR_DISP,
           MPI_Win_create(&cell, sizeof(cell), -1, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    EXPECT(MPI_ERR_COMM,
           MPI_Win_create(&cell, sizeof(cell), 1, MPI_INFO_NULL, MPI_COMM_NULL, &window));
    EXPECT(MPI_ERR_WIN, MPI_Win_fence(0, none));
    EXPECT(MPI_ERR_WIN, MPI_Win_free(&none));
    MPI_Win_create(&cell, sizeof(cell), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    EXPECT(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, 99, 0, window));
    EXPECT(MPI_ERR_RANK, MPI_Win_unlock(99, window));
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
}

static void wrong_topologies(void)
{
    int dims[2] = {9, 9};
    int periods[2] = {0, 0};
    MPI_Comm comm;
    MPI_Group group;

    EXPECT(MPI_ERR_ARG, MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm));
    EXPECT(MPI_ERR_TOPOLOGY, MPI_Cart_sub(MPI_COMM_WORLD, periods, &comm));
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    EXPECT(MPI_ERR_COMM, MPI_Comm_create_group(MPI_COMM_NULL, group, 0, &comm));
    MPI_Group_free(&group);
    EXPECT(MPI_ERR_COMM, MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &comm));
}

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    wrong_files();
    wrong_windows();
    wrong_topologies();
    rank++;
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 1)
        printf("%d unexpected, sum %d\n", unexpected, sum);
    MPI_Finalize();
    return 0;
}
