/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and displacements that lead out of the block of malloc() that a buffer begins (MPI-3.1
 * sections 3.2.2 and 4.1.12): in a send, in a receive whose message is shorter, in a block that is
 * a mapping of its own, by a datatype, and by a displacement to a block that was freed. A datatype
 * or a displacement that leads to another block is only not portable.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-buffer error
 * FINDING: invalid-buffer warning
 * FINDING: invalid-buffer note
 * SAYS: error: invalid-buffer: buf of MPI_Isend \(past_block.c:\d+\) of rank 0 reaches byte 199 of an allocated block, which has 104 bytes
 * SAYS: warning: invalid-buffer: buf of MPI_Irecv \(past_block.c:\d+\) of rank 0 reaches byte 299 of an allocated block, which has 104 bytes
 * SAYS: error: invalid-buffer: buffer of MPI_Ibcast \(past_block.c:\d+\) of rank 0 reaches byte 1056767 of an allocated block, which has 1052656 bytes
 * SAYS: note: invalid-buffer: buf of MPI_Isend \(past_block.c:\d+\) of rank 0 begins an allocated block, and its datatype reaches another one
 * SAYS: error: invalid-buffer: buf of MPI_Isend \(past_block.c:\d+\) of rank 0 reaches byte 113 of an allocated block, which has 104 bytes
 * SAYS: error: invalid-buffer: displs\[0\] is -\d+ in MPI_Gatherv \(past_block.c:\d+\) of rank 0, where the program has not allocated memory
 * SAYS: note: invalid-buffer: displs\[0\] is -\d+ in MPI_Gatherv \(past_block.c:\d+\) of rank 0, which leads from one allocated block to another
 * SAYS: 7 findings
 * EXIT: 66
 */
#include <malloc.h>
#include <mpi.h>
#include <stdlib.h>

enum { SMALL = 100, LARGE = 3000, MAPPED = 1 << 20, PAGE = 4096, ROOM = 4 * SMALL };

static char in[ROOM];

/* Both ends are this process; the message has `sent` bytes. */
static void pass(const char *out, int sent, char *room, int count)
{
    MPI_Request request[2];

    MPI_Isend(out, sent, MPI_CHAR, 0, 0, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(room, count, MPI_CHAR, 0, 0, MPI_COMM_SELF, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void mapping(char *block)
{
    MPI_Request request;

    MPI_Ibcast(block, MAPPED + 2 * PAGE, MPI_CHAR, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void with_type(const char *out, MPI_Aint second)
{
    const MPI_Aint displacement[2] = {0, second};
    MPI_Request request[2];
    MPI_Datatype type;

    MPI_Type_create_hindexed_block(2, 10, displacement, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(in, ROOM, MPI_CHAR, 0, 0, MPI_COMM_SELF, &request[1]);
    MPI_Isend(out, 1, type, 0, 0, MPI_COMM_SELF, &request[0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&type);
}

static void gather(char *to, char *before)
{
    const int count = 8;
    const int displacement = (int)(before - to);
    const char out[8] = {0};

    MPI_Gatherv(out, 8, MPI_CHAR, to, &count, &displacement, MPI_CHAR, 0, MPI_COMM_SELF);
}

int main(int argc, char **argv)
{
    char *block[6], *mapped[2];

    mallopt(M_MMAP_THRESHOLD, MAPPED / 2);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 6; i++)
        block[i] = calloc(1, i < 3 ? SMALL : LARGE);
    for (int i = 0; i < 2; i++)
        mapped[i] = malloc(MAPPED);
    pass(block[0], 2 * SMALL, in, ROOM);
    pass(block[1], 10, block[2], 3 * SMALL);
    mapping(mapped[1]);
    with_type(block[0], block[1] - block[0]);
    with_type(block[0], SMALL + 4);
    const int to_freed = (int)(block[3] + LARGE / 2 - block[5]);
    free(block[3]);
    gather(block[5], block[5] + to_freed);
    gather(block[5], block[4]);
    for (int i = 0; i < 6; i++)
        free(i == 3 ? NULL : block[i]);
    for (int i = 0; i < 2; i++)
        free(mapped[i]);
    MPI_Finalize();
    return 0;
}
