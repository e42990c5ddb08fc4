/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks whether there is an MPI library, and then whether MPI runs, in a process without one; and
 * again when it has opened one, which argv[1] names. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int ask(const char *name)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    int (*is_so)(int *);
    int flag = 2;

    memcpy(&is_so, &symbol, sizeof(is_so));
    return symbol != NULL && is_so(&flag) == 0 ? flag : 3;
}

int main(int argc, char **argv)
{
    int (*init)(int *, char ***), (*finalize)(void);
    void *symbol[2];

    printf("%d %d\n", ask("MPI_Initialized"), ask("PMPI_Finalized"));
    if (argc < 2 || dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == NULL)
        return 1;
    symbol[0] = dlsym(RTLD_DEFAULT, "MPI_Init");
    symbol[1] = dlsym(RTLD_DEFAULT, "MPI_Finalize");
    memcpy(&init, &symbol[0], sizeof(init));
    memcpy(&finalize, &symbol[1], sizeof(finalize));
    init(NULL, NULL);
    printf("%d %d\n", ask("MPI_Initialized"), ask("PMPI_Finalized"));
    return finalize();
}
