/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks whether there is an MPI library, and whether MPI runs, in a process without one; and again
 * when it has opened one, which argv[1] names. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int MPI_Initialized(int *flag) __attribute__((weak));
int PMPI_Finalized(int *flag) __attribute__((weak));

static int ask(int (*is_so)(int *))
{
    int flag = 2;

    return is_so != NULL && is_so(&flag) == 0 ? flag : 3;
}

static void tell(void)
{
    printf("%d %d, %s\n", ask(MPI_Initialized), ask(PMPI_Finalized),
           dlsym(RTLD_DEFAULT, "MPI_Initialized") != NULL ? "found" : "not found");
}

int main(int argc, char **argv)
{
    int (*init)(int *, char ***), (*finalize)(void);
    void *symbol[2];

    tell();
    if (argc < 2 || dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == NULL)
        return 1;
    symbol[0] = dlsym(RTLD_DEFAULT, "MPI_Init");
    symbol[1] = dlsym(RTLD_DEFAULT, "MPI_Finalize");
    memcpy(&init, &symbol[0], sizeof(init));
    memcpy(&finalize, &symbol[1], sizeof(finalize));
    init(NULL, NULL);
    tell();
    return finalize();
}
