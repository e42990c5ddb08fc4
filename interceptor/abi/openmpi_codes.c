/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes as Open MPI numbers them inside (ompi/include/mpi.h.in). Most have the same numbers
 * in the standard ABI. */
#include "interceptor/openmpi/codes.h"

#include <mpi.h>
#include <stddef.h>

int ork_openmpi_code(int inside)
{
    static const struct {
        int inside, known;
    } different[] = {
        {18, MPI_ERR_IN_STATUS},
        {19, MPI_ERR_PENDING},
        {46, MPI_ERR_RMA_CONFLICT},
        {47, MPI_ERR_RMA_SYNC},
        {48, MPI_ERR_SERVICE},
        {49, MPI_ERR_SIZE},
        {50, MPI_ERR_SPAWN},
        {51, MPI_ERR_UNSUPPORTED_DATAREP},
        {52, MPI_ERR_UNSUPPORTED_OPERATION},
        {53, MPI_ERR_WIN},
        {68, MPI_ERR_RMA_RANGE},
        {69, MPI_ERR_RMA_ATTACH},
        {70, MPI_ERR_RMA_FLAVOR},
        {71, MPI_ERR_RMA_SHARED},
        {74, MPI_ERR_PROC_ABORTED},
        {78, MPI_ERR_SESSION},
        {79, MPI_ERR_VALUE_TOO_LARGE},
        {80, MPI_ERR_ERRHANDLER},
        {83, MPI_ERR_ABI},
    };

    for (size_t i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
        if (different[i].inside == inside)
            return different[i].known;
    }
    return inside;
}
