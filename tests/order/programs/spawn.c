/* SPDX-License-Identifier: BSD-3-Clause */
/* Each job receives from anybody of the other one, and the spawned one among itself.
 *
 * RANKS: 2
 * SPAWNED: 3 */
#include "digest.h"

enum { ROUNDS = 4, SPAWNED = 3 };

static void receive(MPI_Comm comm, int messages)
{
    MPI_Status status;
    int got;

    for (int i = 0; i < messages; i++) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        saw_message(&status, got);
    }
}

static void send(MPI_Comm comm, int to)
{
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, to, me, comm);
    }
}

static void child(MPI_Comm parent)
{
    if (me == 0) {
        receive(MPI_COMM_WORLD, ROUNDS * (ranks - 1));
        receive(parent, ROUNDS * 2);
    } else {
        send(MPI_COMM_WORLD, 0);
    }
    send(parent, 0);
    MPI_Gather(&digest.value, 1, MPI_UINT64_T, NULL, 0, MPI_UINT64_T, 0, parent);
}

static void parent(char *program)
{
    MPI_Comm children;
    uint64_t theirs[SPAWNED];

    MPI_Comm_spawn(program, MPI_ARGV_NULL, SPAWNED, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    send(children, 0);
    if (me == 0)
        receive(children, ROUNDS * SPAWNED);
    MPI_Gather(NULL, 0, MPI_UINT64_T, theirs, 1, MPI_UINT64_T, me ? MPI_PROC_NULL : MPI_ROOT,
               children);
    for (int i = 0; me == 0 && i < SPAWNED; i++)
        saw((int64_t)theirs[i]);
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    MPI_Comm other;

    begin(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        parent(argv[0]);
        return end();
    }
    child(other);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
