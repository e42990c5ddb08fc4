/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of MPI-4.0 that have no hook: what they make is unknown to the tool, and never wrong.
 * The argument says which. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

/* Requests: a persistent collective operation. */
static void use_requests(void)
{
    MPI_Request request;

    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

/* Datatypes: with values of handles that were freed before. */
static void use_types(void)
{
    for (int i = 0; i < 3; i++) {
        MPI_Datatype known, type;
        int from[2] = {rank, i}, to[2];
        MPI_Type_contiguous(2, MPI_INT, &known);
        MPI_Type_free(&known);
        MPI_Type_contiguous_c(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Sendrecv(from, 1, type, (rank + 1) % size, 0, to, 1, type, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
    }
}

/* Sessions: a communicator without MPI_Init. */
static void use_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "newer", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

/* Rank 0 sends by a function without a hook, and no other rank does. Then ranks 1 and 2 wait for
 * each other. */
static void wait_for_each_other(void)
{
    int x = 0;

    if (rank == 0) {
        for (int to = 1; to < size; to++)
            MPI_Send_c(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
        return;
    }
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 3 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Only a value is returned: all is looked at. */
static void ask(void)
{
    MPI_Count bytes;

    MPI_Type_size_c(MPI_INT, &bytes);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "session") == 0) {
        use_session();
    } else {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (strcmp(what, "requests") == 0)
            use_requests();
        else if (strcmp(what, "types") == 0)
            use_types();
        else if (strcmp(what, "deadlock") == 0)
            wait_for_each_other();
        else
            ask();
        MPI_Finalize();
    }
    printf("rank %d: done\n", rank);
    return 0;
}
