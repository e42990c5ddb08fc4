/* SPDX-License-Identifier: BSD-3-Clause */
/* dlopen [CODE [fork]]: looks the functions of MPI up in the library, and exits with CODE; before,
 * a child that it forks exits. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(void *library, const char *name, void *argument)
{
    int (*function)(void *, void *);
    void *symbol = dlsym(library, name);

    memcpy(&function, &symbol, sizeof(function));
    function(argument, NULL);
}

int main(int argc, char **argv)
{
    void *library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);

    if (library == NULL)
        return 77;
    call(library, "MPI_Init", NULL);
    call(library, "MPI_Barrier", dlsym(library, "ompi_mpi_comm_world"));
    if (argc > 2) {
        pid_t child = fork();
        if (child == 0)
            return 0;
        waitpid(child, NULL, 0);
    }
    call(library, "MPI_Finalize", NULL);
    return argc > 1 ? atoi(argv[1]) : 0;
}
