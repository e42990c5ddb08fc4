/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent request is completed and not freed: it exists until MPI_Request_free (MPI-3.1
 * section 3.9). Another one is freed in an attribute callback inside MPI_Finalize.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: request-leak warning
 * SAYS: request-leak: 2 persistent requests of MPI_Send_init .* were not freed
 * SAYS: 1 finding:
 * SAYS_LINE: MADE
 */
#include <mpi.h>
#include <stddef.h>

static int word;

static int free_request(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm;
    (void)key;
    (void)state;
    return MPI_Request_free(value);
}

int main(int argc, char **argv)
{
    static MPI_Request kept;
    MPI_Request request;
    int key;

    MPI_Init(&argc, &argv);
    for (int i = 0; i <= argc; i++) {
        MPI_Send_init(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); /* MADE */
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Send_init(&word, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &kept);
    MPI_Start(&kept);
    MPI_Wait(&kept, MPI_STATUS_IGNORE);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_request, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &kept);
    MPI_Finalize();
    return 0;
}
