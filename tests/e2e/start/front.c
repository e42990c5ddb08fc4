/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool that is preloaded before this one, and that calls the functions of the MPI library itself.
 */
#include <mpi.h>

#include <dlfcn.h>
#include <string.h>

static void find(const char *name, void *function)
{
    void *library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_NOLOAD);
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof(symbol));
}

int MPI_Init(int *argc, char ***argv)
{
    int (*next)(int *, char ***);

    find("PMPI_Init", &next);
    return next(argc, argv);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    int (*next)(MPI_Comm, int *);

    find("PMPI_Comm_rank", &next);
    return next(comm, rank);
}

int MPI_Barrier(MPI_Comm comm)
{
    int (*next)(MPI_Comm);

    find("PMPI_Barrier", &next);
    return next(comm);
}

int MPI_Finalize(void)
{
    int (*next)(void);

    find("PMPI_Finalize", &next);
    return next();
}
