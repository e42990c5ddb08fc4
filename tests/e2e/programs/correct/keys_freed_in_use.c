/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute keys that are freed while attributes with them exist (MPI-3.1 section 6.7.2): until the
 * last of these attributes is deleted, the key may be used, of communicators, datatypes and
 * windows, and of copies of communicators and datatypes that have the attribute. The copy is left
 * out by one of the functions that copy.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

static int value, copies;

static void get_comm(MPI_Comm comm, int key, int expected)
{
    void *found;
    int flag;

    MPI_Comm_get_attr(comm, key, &found, &flag);
    if (flag != expected)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Copies the first time only. */
static int copy_once(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)key;
    (void)extra;
    *(void **)out = in;
    *flag = copies++ == 0;
    return MPI_SUCCESS;
}

/* The key is freed, but the attribute that is deleted is still there. */
static int use_when_deleted(MPI_Comm comm, int key, void *deleted, void *extra)
{
    void *found;
    int flag;

    (void)deleted;
    (void)extra;
    return MPI_Comm_get_attr(comm, key, &found, &flag);
}

static void of_one_communicator(void)
{
    MPI_Comm comm;
    int key;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_free_keyval(&key);
    get_comm(comm, copy, 1);
    get_comm(MPI_COMM_SELF, copy, 0);
    MPI_Comm_set_attr(MPI_COMM_SELF, copy, &value); /* now there are two */
    MPI_Comm_set_attr(comm, copy, &copy);
    MPI_Comm_delete_attr(comm, copy);
    get_comm(comm, copy, 0);
    MPI_Comm_delete_attr(MPI_COMM_SELF, copy); /* the last one */
    MPI_Comm_free(&comm);
}

static void of_copies(void)
{
    MPI_Comm comm, first, second;
    int key;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(copy_once, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_dup(comm, &first);
    MPI_Comm_dup(comm, &second);
    MPI_Comm_free(&comm);
    get_comm(first, copy, 1);
    get_comm(second, copy, 0);
    MPI_Comm_delete_attr(first, copy);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
}

/* A copy that is complete later. */
static void of_a_late_copy(void)
{
    MPI_Request request;
    MPI_Comm comm, late;
    int key;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_idup(comm, &late, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    get_comm(late, copy, 1);
    MPI_Comm_free(&late);
}

static void of_types(void)
{
    MPI_Datatype pair, second;
    void *found;
    int key, flag;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Type_set_attr(pair, key, &value);
    MPI_Type_free_keyval(&key);
    MPI_Type_dup(pair, &second);
    MPI_Type_free(&pair);
    MPI_Type_get_attr(second, copy, &found, &flag);
    MPI_Type_set_attr(second, copy, &copy);
    MPI_Type_delete_attr(second, copy);
    MPI_Type_free(&second);
}

static void of_windows(void)
{
    MPI_Win win;
    void *found;
    int key, flag;

    MPI_Win_create(&value, sizeof(value), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    int copy = key;
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_free_keyval(&key);
    MPI_Win_get_attr(win, copy, &found, &flag);
    MPI_Win_set_attr(win, copy, &copy);
    MPI_Win_delete_attr(win, copy);
    MPI_Win_free(&win);
}

static void of_deleting_functions(void)
{
    MPI_Comm comm;
    int key;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_when_deleted, &key, NULL);
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &value); /* deleted in MPI_Finalize */
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        copies = 0;
        of_one_communicator();
        of_copies();
        of_a_late_copy();
        of_types();
        of_windows();
    }
    of_deleting_functions();
    MPI_Finalize();
    return 0;
}
