/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of the layer. */
#include "layer.h"

#include <stddef.h>
#include <stdio.h>

int main(void)
{
    int rank = -1;

    if (MPI_Init(NULL, NULL) != 0 || MPI_Comm_rank(WORLD, &rank) != 0 || MPI_Barrier(WORLD) != 0)
        return 1;
    printf("rank %d\n", rank);
    return MPI_Finalize();
}
