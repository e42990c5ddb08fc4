/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions that look wrong and are right: an offset of 0, a file of no bytes (MPI-3.1 section
 * 13.2.5), a seek backwards from the end (13.4.3), and a file that is created and must not exist
 * (13.2.1).
 *
 * RANKS: 1
 * EXPECT: clean
 * OUTPUT: 0 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char path[] = "/tmp/orknot-test-XXXXXX";
    int word = 1;
    MPI_Offset empty, position;
    MPI_File file;

    MPI_Init(&argc, &argv);
    close(mkstemp(path));
    unlink(path);
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL,
                  MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_get_size(file, &empty);
    MPI_File_write_at(file, 0, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 4, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, -4, MPI_SEEK_END);
    MPI_File_get_position(file, &position);
    printf("%d %d\n", (int)empty, (int)position);
    MPI_File_close(&file);
    unlink(path);
    MPI_Finalize();
    return 0;
}
