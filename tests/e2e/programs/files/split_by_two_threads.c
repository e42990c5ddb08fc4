/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread begins a split collective operation, and another one ends it (MPI-3.1 section 13.4.5).
 * Then the same thread does both.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: file-misuse error
 * SAYS: MPI_File_write_all_end \(split_by_two_threads.c:\d+\) of rank 0 ends the split collective operation of MPI_File_write_all_begin .* in another thread
 * SAYS: 1 finding
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static MPI_File file;
static int word = 1;

static void *begin(void *nothing)
{
    MPI_File_write_all_begin(file, &word, 1, MPI_INT);
    return nothing;
}

int main(int argc, char **argv)
{
    char path[] = "/tmp/orknot-test-XXXXXX";
    int provided;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    close(mkstemp(path));
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    pthread_create(&thread, NULL, begin, NULL);
    pthread_join(thread, NULL);
    MPI_File_write_all_end(file, &word, MPI_STATUS_IGNORE);
    begin(NULL);
    MPI_File_write_all_end(file, &word, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    unlink(path);
    MPI_Finalize();
    return 0;
}
