/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank makes 1000 calls and dies as its argument says. "fork": a child that outlives it and
 * calls MPI functions, until there is a file "go". */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void calls(int n)
{
    int x = 0;

    for (int i = 0; i < n; i++)
        MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    calls(1000);
    if (strcmp(how, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "_exit") == 0)
        _exit(5);
    if (strcmp(how, "mpi_abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 6);
    if (strcmp(how, "fork") == 0) {
        if (fork() == 0) {
            close(1);
            close(2);
            calls(10);
            for (int i = 0; i < 60000 && access("go", F_OK) != 0; i++)
                usleep(10000);
            _exit(0);
        }
        _exit(0);
    }
    if (strcmp(how, "many") == 0)
        calls(100000);
    if (strcmp(how, "orphan") == 0) {
        kill((pid_t)atoi(argv[2]), SIGKILL);
        calls(100000);
        puts("still here");
    }
    MPI_Finalize();
    return 0;
}
