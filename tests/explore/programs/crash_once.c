/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 crashes in MPI_Finalize, but in one run only, as the MPI library may do.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 2 ended, exit 0
 * SAYS: 1 run crashed in MPI_Finalize, but not when it was repeated */
#include "small.h"

#include <fcntl.h>
#include <signal.h>

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first (MPI-3.1 section 8.7.1). */
static int delete (MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    if (open("crashed", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0)
        raise(SIGSEGV);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    receive_from(MPI_ANY_SOURCE);
    receive_from(MPI_ANY_SOURCE);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    return end();
}
