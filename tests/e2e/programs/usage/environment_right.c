/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of the environment are read; attributes of the program are set and deleted.
 *
 * RANKS: 1
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int value = 7, keyval, is_set;
    void *found;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found, &is_set);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &found, &is_set);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return 0;
}
