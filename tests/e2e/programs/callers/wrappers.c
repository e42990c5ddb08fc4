/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that share a wrapper, and each make a mistake: both are reported, with their callers.
 * A message is sent to nobody, and a communicator is not freed.
 *
 * RANKS: 2
 * OPTIONS: --must:callers 3
 * EXPECT: no-deadlock
 * FINDING: lost-message warning
 * FINDING: lost-message warning
 * FINDING: resource-leak warning
 * FINDING: resource-leak warning
 * SAYS: MPI_Isend\(.*\) at \S+:29 in post\n        called from rows \(wrappers.c:41\), both \(wrappers.c:53\), main \(wrappers.c:61\)
 * SAYS: MPI_Isend\(.*\) at \S+:29 in post\n        called from columns \(wrappers.c:47\), both \(wrappers.c:54\), main \(wrappers.c:61\)
 * SAYS: MPI_Comm_dup at \S+:35 in copy\n        called from rows \(wrappers.c:42\), both \(wrappers.c:53\), main \(wrappers.c:61\)
 * SAYS: MPI_Comm_dup at \S+:35 in copy\n        called from columns \(wrappers.c:48\), both \(wrappers.c:54\), main \(wrappers.c:61\)
 */
#include <mpi.h>

/* A call is at its line if it is neither inlined nor the last thing that is done. */
#define WRAPPER static __attribute__((noinline)) void

static MPI_Comm copies[2];
static int value, num_copied, depth;

WRAPPER post(int tag)
{
    MPI_Request request;

    MPI_Isend(&value, 0, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
}

WRAPPER copy(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &copies[num_copied++]);
    depth++;
}

WRAPPER rows(void)
{
    post(1);
    copy();
    depth++;
}
WRAPPER columns(void)
{
    post(2);
    copy();
    depth++;
}
WRAPPER both(void)
{
    rows();
    columns();
    depth++;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    both();
    MPI_Finalize();
    return 0;
}
