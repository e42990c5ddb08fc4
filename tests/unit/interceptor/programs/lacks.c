/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls an entry of the preload file in a process without an MPI library. */
int MPI_Comm_rank(void *comm, int *rank) __attribute__((weak));

int main(void)
{
    int rank;

    return MPI_Comm_rank != 0 ? MPI_Comm_rank(0, &rank) : 1;
}
