/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that touch, or lie in the gaps of each other; counts of zero; MPI_NO_OP, which ignores
 * the origin buffer; two buffers that are only read; a target that is MPI_PROC_NULL.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

static int word[16], memory[4];

static void reduce_and_pack(void)
{
    int position = 0;
    MPI_Datatype every_other;

    MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Reduce_local(word, word + 4, 4, MPI_INT, MPI_SUM);
    MPI_Reduce_local(word, word, 0, MPI_INT, MPI_SUM);
    MPI_Pack(word, 4, MPI_INT, word + 4, 16, &position, MPI_COMM_WORLD);
    position = 0;
    MPI_Unpack(word + 8, 16, &position, word, 1, every_other, MPI_COMM_WORLD);
    position = 4;
    MPI_Unpack(word, 8, &position, word, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_free(&every_other);
}

int main(int argc, char **argv)
{
    MPI_Win win;

    MPI_Init(&argc, &argv);
    reduce_and_pack();
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Fetch_and_op(word, word, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    MPI_Fetch_and_op(word, word, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, win);
    MPI_Get_accumulate(word, 2, MPI_INT, word + 2, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(word, word, word + 1, MPI_INT, 0, 0, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
