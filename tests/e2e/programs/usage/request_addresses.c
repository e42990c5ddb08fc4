/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests at addresses that look strange (MPI-3.1 section 3.7.3): beside other data in a structure
 * on the heap, in an array of another size than the call takes, none at all of an empty array, and
 * an array whose elements are MPI_REQUEST_NULL or persistent requests that are inactive.
 *
 * RANKS: 1
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>
#include <stdlib.h>

struct pending {
    char tag;
    MPI_Request request[3];
    int word[3];
};

int main(int argc, char **argv)
{
    int out = 0, index, flag;
    MPI_Request persistent;

    MPI_Init(&argc, &argv);
    struct pending *p = malloc(sizeof(*p));
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&p->word[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &p->request[i]);
    for (int i = 0; i < 3; i++)
        MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    MPI_Wait(&p->request[1], MPI_STATUS_IGNORE);
    MPI_Waitall(3, p->request, MPI_STATUSES_IGNORE);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Testall(3, p->request, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitany(3, p->request, &index, MPI_STATUS_IGNORE);
    MPI_Send_init(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &persistent);
    p->request[2] = persistent;
    MPI_Testall(3, p->request, &flag, MPI_STATUSES_IGNORE);
    MPI_Startall(1, &p->request[2]);
    MPI_Wait(&p->request[2], MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
    free(p);
    MPI_Finalize();
    return 0;
}
