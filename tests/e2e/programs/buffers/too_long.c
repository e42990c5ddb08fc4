/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of operations are longer than the memory that begins there: their last pages are not
 * mapped. Nothing is sent, so the library does not read them (MPI-3.1 section 3.2.2).
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-buffer error
 * SAYS: the buffer of MPI_Ibcast \(too_long.c:\d+\) of rank 0 has 32768 bytes, but the process has memory for only 12288 of them
 * EXIT: 66
 */
#include <mpi.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PAGE = 4096, HAS = 3, SAYS = 8 };

int main(int argc, char **argv)
{
    MPI_Request request;

    MPI_Init(&argc, &argv);
    char *pages =
        mmap(NULL, SAYS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages[0] = 1;
    munmap(pages + HAS * PAGE, (SAYS - HAS) * PAGE);
    MPI_Ibcast(pages, SAYS * PAGE, MPI_CHAR, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    munmap(pages, HAS * PAGE);
    MPI_Finalize();
    return 0;
}
