/* SPDX-License-Identifier: BSD-3-Clause */
/* The argument that is wrong is named, though the library tells something else or crashes: null
 * pointers as datatypes (MPI-3.1 section 2.5.1), also in arrays, a freed one there; what is no
 * address of a request (3.7.3, 3.9). Whether MPI_DATATYPE_NULL may describe no elements is not
 * agreed on.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-handle warning
 * FINDING: invalid-handle note
 * FINDING: invalid-argument warning
 * FINDING: request-misuse warning
 * FINDING: invalid-handle error
 * SAYS: warning: .*: datatype is NULL in MPI_Send \(
 * SAYS: note: .*: datatype is MPI_DATATYPE_NULL in MPI_Send \(.* of rank 0, for no elements
 * SAYS: warning: .*: oldtype is NULL in MPI_Type_contiguous \(
 * SAYS: warning: .*: array_of_types is NULL in MPI_Type_create_struct \(
 * SAYS: warning: .*: request is NULL in MPI_Start \(.* of rank 0, not the address of a request
 * SAYS: warning: .*: request is MPI_REQUEST_NULL in MPI_Start \(.* not the address of a request
 * SAYS: warning: .*: request is a handle in MPI_Start \(.* not the address of a request
 * SAYS: warning: .*: MPI_Startall \(.* gets MPI_REQUEST_NULL
 * SAYS: error: .*: array_of_types in MPI_Type_create_struct \(.* was freed by MPI_Type_free
 * SAYS: 9 findings
 * PLAIN: any
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Datatype none; /* a null pointer */

static void types(int *word)
{
    const int length[2] = {1, 1};
    const MPI_Aint at[2] = {0, 4};
    const MPI_Datatype some[2] = {MPI_INT, none};
    MPI_Datatype made;

    MPI_Send(word, 1, none, 0, 0, MPI_COMM_SELF);
    MPI_Send(word, 0, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF);
    MPI_Type_contiguous(2, none, &made);
    MPI_Type_create_struct(2, length, at, some, &made);
}

static void requests(int *word)
{
    MPI_Request request, null = MPI_REQUEST_NULL;

    MPI_Start(NULL);
    MPI_Start((MPI_Request *)MPI_REQUEST_NULL);
    MPI_Recv_init(word, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Start((MPI_Request *)request);
    MPI_Startall(1, &null);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void freed_type(void)
{
    const int length[2] = {1, 1};
    const MPI_Aint at[2] = {0, 8};
    MPI_Datatype old, made, some[2] = {MPI_INT};

    MPI_Type_contiguous(2, MPI_INT, &old);
    some[1] = old;
    MPI_Type_free(&old);
    if (MPI_Type_create_struct(2, length, at, some, &made) == MPI_SUCCESS)
        MPI_Type_free(&made);
}

int main(int argc, char **argv)
{
    int word[2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    types(word);
    requests(word);
    freed_type();
    MPI_Finalize();
    return 0;
}
