/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of every kind that are still there at MPI_Finalize. Files have to be closed before it
 * (MPI-3.1 section 13.2.1); of the others, the standard only says how they are freed (section
 * 2.5.1).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: resource-leak warning
 * FINDING: resource-leak note
 * FINDING: request-leak warning
 * SAYS: warning: .*: 3 to 4 communicators of MPI_Comm_dup \(leaks.c:\d+\) were not freed
 * SAYS: 1 communicator of MPI_Comm_split .* was not freed before MPI_Finalize by rank 1
 * SAYS: 2 groups of MPI_Comm_group \(leaks.c:\d+\) were not freed before MPI_Finalize by ranks 0
 * SAYS: 1 datatype of MPI_Type_contiguous \(leaks.c:\d+\) was not freed
 * SAYS: 1 operator of MPI_Op_create \(leaks.c:\d+\) was not freed
 * SAYS: note: .*: 2 info objects of MPI_Info_create \(leaks.c:\d+\) were not freed
 * SAYS: 1 request of MPI_Grequest_start \(leaks.c:\d+\) was neither completed nor freed
 * SAYS: 1 window of MPI_Win_create \(leaks.c:\d+\) was not freed
 * SAYS: 1 file of MPI_File_open \(leaks.c:\d+\) was not closed before MPI_Finalize by ranks 0 and 1
 * SAYS_LINE: DUP
 * SAYS_LINE: SPLIT
 * SAYS_LINE: WIN
 * SAYS_LINE: OPEN
 */
#include <mpi.h>
#include <stddef.h>

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    (void)status;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

/* Objects that only this process knows. */
static void make_local_objects(int times)
{
    MPI_Group group, same;
    MPI_Info info;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request request;

    for (int i = 0; i < times; i++) {
        MPI_Comm_group(MPI_COMM_WORLD, &group);
        MPI_Info_create(&info);
    }
    MPI_Comm_group(MPI_COMM_WORLD, &same);
    MPI_Group_free(&same);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Op_create(add, 1, &op);
    MPI_Grequest_start(query, release, cancel, NULL, &request);
}

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Comm comm;
    MPI_Win window;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3 + rank; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comm);                                           /* DUP */
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &comm);          /* SPLIT */
    MPI_Win_create(&word, sizeof(word), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);   /* WIN */
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file); /* OPEN */
    make_local_objects(1 + argc);
    MPI_Finalize();
    return 0;
}
