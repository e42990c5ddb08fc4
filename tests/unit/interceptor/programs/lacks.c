/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls an entry of the preload file in a process without an MPI library. */
#include <dlfcn.h>
#include <string.h>

int main(void)
{
    void *symbol = dlsym(RTLD_DEFAULT, "MPI_Comm_rank");
    int (*get_rank)(void *, int *);
    int rank;

    memcpy(&get_rank, &symbol, sizeof(get_rank));
    return symbol != NULL ? get_rank(NULL, &rank) : 1;
}
