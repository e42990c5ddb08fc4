/* SPDX-License-Identifier: BSD-3-Clause */
/* deep PLUGIN [CODE [fork]]: the plugin is opened with RTLD_DEEPBIND, so that it finds the
 * functions of the MPI library before those of the tool. Exits with CODE; before, a child that it
 * forks exits. Built as a program and as the plugin. */
#ifdef PLUGIN
#include <mpi.h>

void begin(void);
void end(void);

void begin(void)
{
    MPI_Init(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

void end(void)
{
    MPI_Finalize();
}
#else
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(void *plugin, const char *name)
{
    void (*function)(void);
    void *symbol = dlsym(plugin, name);

    memcpy(&function, &symbol, sizeof(function));
    function();
}

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) : NULL;

    if (plugin == NULL)
        return 77;
    call(plugin, "begin");
    if (argc > 3) {
        pid_t child = fork();
        if (child == 0)
            return 0;
        waitpid(child, NULL, 0);
    }
    call(plugin, "end");
    return argc > 2 ? atoi(argv[2]) : 0;
}
#endif
