/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes that rank 0 spawns send to it; so do the other ranks.
 *
 * RANKS: 3
 * EXPLORE: 2+ orders, 2+ ended, incomplete, exit 0
 * SAYS: the program starts further processes */
#include "small.h"

static void child(MPI_Comm parent)
{
    MPI_Send(&me, 1, MPI_INT, 0, 0, parent);
    MPI_Comm_disconnect(&parent);
}

static void receive_two(MPI_Comm comm)
{
    int value;

    for (int i = 0; i < 2; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, children;

    begin(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        child(parent);
        return end();
    }
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                   MPI_ERRCODES_IGNORE);
    if (me == 0)
        receive_two(MPI_COMM_WORLD);
    else
        send_to(0, me);
    receive_two(children);
    MPI_Comm_disconnect(&children);
    return end();
}
