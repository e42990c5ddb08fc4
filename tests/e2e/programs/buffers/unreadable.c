/* SPDX-License-Identifier: BSD-3-Clause */
/* Pending operations whose buffers cannot be read: of broadcasts to nobody else from memory without
 * permissions. What cannot be read is not compared, and the report says so.
 *
 * RANKS: 2
 * EXPECT: clean
 * SAYS: the tool could not read 4 send buffers, so it did not look whether they were changed too early; the first was that of MPI_Ibcast \(unreadable.c:\d+\) of rank [01]
 * PLAIN: ends
 */
#include <mpi.h>

#include <stdlib.h>
#include <sys/mman.h>

enum { SIZE = 4096 };

static int *map(void)
{
    int *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        abort();
    return memory;
}

static void broadcast_to_nobody(void)
{
    int *memory = map();
    MPI_Request request;

    mprotect(memory, SIZE, PROT_NONE);
    MPI_Ibcast(memory, 4, MPI_INT, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    munmap(memory, SIZE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    broadcast_to_nobody();
    broadcast_to_nobody();
    MPI_Finalize();
    return 0;
}
