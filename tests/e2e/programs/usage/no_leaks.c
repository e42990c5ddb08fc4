/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks like a leak and is none: an attribute callback of MPI_COMM_SELF frees a communicator
 * inside MPI_Finalize (MPI-3.1 section 8.7.1); a group, of which a second handle was obtained, is
 * freed twice; predefined handles that calls return (section 4.1.13: they are not freed; 17.1.9);
 * an error handler and a datatype are freed while they are in use; a key is kept for the whole run.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

static void on_error(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
}

static int free_communicator(MPI_Comm comm, int key, void *value, void *state)
{
    MPI_Comm *kept = value;

    (void)comm;
    (void)key;
    (void)state;
    return MPI_Comm_free(kept);
}

static void groups(void)
{
    MPI_Group all, again, none;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(MPI_COMM_WORLD, &again);
    MPI_Group_incl(all, 0, NULL, &none); /* MPI_GROUP_EMPTY */
    MPI_Group_free(&all);
    MPI_Group_free(&again);
}

static void error_handlers(void)
{
    MPI_Errhandler handler, got;

    for (int i = 0; i < 3; i++) {
        MPI_Comm_create_errhandler(on_error, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        MPI_Errhandler_free(&handler);
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
        MPI_Errhandler_free(&got);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got); /* predefined */
}

static void types(void)
{
    MPI_Datatype vector, twice, parts[1], real, found;
    int integers[3], n, a, d, combiner;
    MPI_Aint addresses[1];

    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_get_contents(vector, 3, 0, 1, integers, addresses, parts); /* MPI_INT */
    MPI_Type_contiguous(2, vector, &twice);
    MPI_Type_free(&vector);
    MPI_Type_get_envelope(twice, &n, &a, &d, &combiner);
    MPI_Type_get_contents(twice, n, a, d, integers, addresses, parts); /* a new handle */
    MPI_Type_free(&parts[0]);
    MPI_Type_free(&twice);
    for (int i = 0; i < 3; i++) {
        MPI_Type_create_f90_real(6, 30, &real);
        MPI_Type_match_size(MPI_TYPECLASS_REAL, sizeof(double), &found);
    }
}

static void requests(int rank)
{
    MPI_Comm parent;
    MPI_Request request;
    int word = 0;

    MPI_Comm_get_parent(&parent);
    MPI_Send_init(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    if (rank == 0) {
        MPI_Isend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, key;
    MPI_Comm kept;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    groups();
    error_handlers();
    types();
    requests(rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &kept);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_communicator, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &kept);
    MPI_Finalize();
    return 0;
}
