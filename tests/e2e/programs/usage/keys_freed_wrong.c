/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute keys that are used after they were freed and their last attribute was deleted
 * (MPI-3.1 section 6.7.2), and one that is freed twice.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-handle warning
 * FINDING: invalid-handle error
 * SAYS: comm_keyval in MPI_Comm_get_attr .* was freed by MPI_Comm_free_keyval \(keys_freed_wrong.c:\d+\)
 * SAYS: type_keyval in MPI_Type_set_attr .* was freed by MPI_Type_free_keyval \(keys_freed_wrong.c:\d+\)
 * SAYS: comm_keyval in MPI_Comm_delete_attr .* was freed by MPI_Comm_free_keyval \(keys_freed_wrong.c:\d+\)
 * SAYS: win_keyval in MPI_Win_free_keyval .* was freed by MPI_Win_free_keyval \(keys_freed_wrong.c:\d+\)
 */
#include <mpi.h>
#include <stddef.h>

static int value;

static void of_deleted_attributes(void)
{
    void *found;
    int key, flag;

    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, copy);
    MPI_Comm_get_attr(MPI_COMM_WORLD, copy, &found, &flag);
}

/* The attribute goes with its communicator; it was not copied. */
static void of_freed_communicators(void)
{
    MPI_Comm comm, other;
    int key;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_dup(comm, &other);
    MPI_Comm_free(&comm);
    MPI_Comm_set_errhandler(other, MPI_ERRORS_RETURN);
    MPI_Comm_delete_attr(other, copy);
    MPI_Comm_free(&other);
}

static void of_freed_types(void)
{
    MPI_Datatype pair, second;
    int key;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Type_set_attr(pair, key, &value);
    MPI_Type_free_keyval(&key);
    MPI_Type_dup(pair, &second);
    MPI_Type_free(&pair);
    MPI_Type_free(&second);
    MPI_Type_set_attr(MPI_INT, copy, &value);
}

/* The key is in use, but it was freed before. */
static void of_one_that_is_freed_twice(void)
{
    MPI_Win win;
    int key;

    MPI_Win_create(&value, sizeof(value), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_free_keyval(&key);
    MPI_Win_free_keyval(&copy);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    of_deleted_attributes();
    of_freed_communicators();
    of_freed_types();
    of_one_that_is_freed_twice();
    MPI_Finalize();
    return 0;
}
