/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are closed while a nonblocking operation on them is not complete (MPI-3.1 section 13.2.2):
 * one that is collective, and one that is not.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: file-misuse error
 * SAYS: MPI_File_close \(.*\) of ranks 0 and 1 is called before the operation of MPI_File_iwrite_at \(pen.*\) is com
 * SAYS: MPI_File_close \(.*\) of ranks 0 and 1 is called before the operation of MPI_File_iread_all \(pen.*\) is com
 * MAYBE: request-leak
 * SAYS_LINE: WRITE
 * SAYS_LINE: READ
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static MPI_File open_scratch(int amode)
{
    char name[] = "/tmp/orknot-pending-XXXXXX";
    int rank;
    MPI_File file;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        close(mkstemp(name));
    MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, name, amode | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    return file;
}

int main(int argc, char **argv)
{
    static int words[1000];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_File file = open_scratch(MPI_MODE_RDWR);
    MPI_File_iwrite_at(file, 0, words, 1000, MPI_INT, &request); /* WRITE */
    MPI_File_close(&file);
    file = open_scratch(MPI_MODE_RDWR);
    MPI_File_iread_all(file, words, 1000, MPI_INT, &request); /* READ */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
