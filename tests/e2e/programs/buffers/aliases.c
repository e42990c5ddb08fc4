/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 2.3 and 11.3.4: what a local call reads must be apart from what it writes, and
 * the buffers of a one-sided call apart from its result.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Reduce_local .* reads bytes 0 to 11 of what it writes
 * SAYS: MPI_Pack .* reads bytes 0 to 7 of what it writes
 * SAYS: MPI_Unpack .* reads bytes 4 to 7 of what it writes
 * SAYS: MPI_Fetch_and_op .* reads bytes 0 to 3 of its result buffer
 * SAYS: MPI_Get_accumulate .* reads bytes 4 to 7 of its result buffer
 * SAYS: MPI_Compare_and_swap .* reads bytes 0 to 3 of what it writes
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

static void reduce_and_pack(int *word)
{
    int position = 8;

    MPI_Reduce_local(word, word + 1, 4, MPI_INT, MPI_SUM);
    MPI_Pack(word + 2, 2, MPI_INT, word, 64, &position, MPI_COMM_WORLD);
    position = 4;
    MPI_Unpack(word, 64, &position, word, 2, MPI_INT, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int word[16] = {0}, memory[4] = {0}, one = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    reduce_and_pack(word);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Fetch_and_op(word, word, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Get_accumulate(word + 1, 1, MPI_INT, word, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(&one, word, word, MPI_INT, 0, 0, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
