/* SPDX-License-Identifier: BSD-3-Clause */
/* A negative size (MPI-3.1 section 13.2.5), a seek from an unknown place (13.4.3), and a file that
 * must not exist, but is not to be created either (13.2.1). Files return errors by default (13.7).
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * FINDING: file-misuse warning
 * MAYBE: resource-leak
 * SAYS: size is -4 in MPI_File_set_size
 * SAYS: whence is 1234 in MPI_File_seek
 * SAYS: MPI_File_open .* has MPI_MODE_EXCL without MPI_MODE_CREATE
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char path[] = "/tmp/orknot-test-XXXXXX";
    MPI_File file;

    MPI_Init(&argc, &argv);
    close(mkstemp(path));
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, -4);
    MPI_File_seek(file, 0, 1234);
    MPI_File_close(&file);
    if (MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_EXCL, MPI_INFO_NULL, &file) ==
        MPI_SUCCESS)
        MPI_File_close(&file);
    unlink(path);
    MPI_Finalize();
    return 0;
}
