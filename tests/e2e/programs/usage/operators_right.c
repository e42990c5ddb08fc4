/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators on all the groups of datatypes for which MPI-3.1 sections 5.9.2 and 5.9.4 define them;
 * an operator of the program on a derived datatype (5.9.5); one-sided calls (11.3.4).
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <string.h>

static char in[64], out[64];

static void reduce(MPI_Datatype type, MPI_Op op)
{
    memset(in, 0, sizeof(in));
    MPI_Allreduce(in, out, 1, type, op, MPI_COMM_WORLD);
}

static void keep(void *a, void *b, int *n, MPI_Datatype *type)
{
    (void)a;
    (void)b;
    (void)n;
    (void)type;
}

static void one_sided(void)
{
    int value = 1, old, word = 0;
    MPI_Win win;

    MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Fetch_and_op(NULL, &old, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Accumulate(NULL, 7, MPI_INT, MPI_PROC_NULL, 0, 7, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Datatype pair;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    reduce(MPI_SIGNED_CHAR, MPI_SUM);
    reduce(MPI_UINT64_T, MPI_BXOR);
    reduce(MPI_INTEGER, MPI_MAX);
    reduce(MPI_DOUBLE_PRECISION, MPI_PROD);
    reduce(MPI_C_DOUBLE_COMPLEX, MPI_SUM);
    reduce(MPI_C_BOOL, MPI_LAND);
    reduce(MPI_LOGICAL, MPI_LXOR);
    reduce(MPI_BYTE, MPI_BOR);
    reduce(MPI_AINT, MPI_MIN);
    reduce(MPI_DOUBLE_INT, MPI_MINLOC);
    reduce(MPI_2INT, MPI_MAXLOC);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(keep, 1, &op);
    reduce(pair, op);
    reduce(MPI_CHAR, op);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    one_sided();
    MPI_Finalize();
    return 0;
}
