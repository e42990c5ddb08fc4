/* SPDX-License-Identifier: BSD-3-Clause */
/* Contains its MPI library, as if it was linked with a static one. */
#include <stdio.h>

int MPI_Init(int *argc, char ***argv);

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    puts("initialized");
    return 0;
}
