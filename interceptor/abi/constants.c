/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/mpi_library.h"

bool ork_library_is_unweighted(const int *weights)
{
    return weights == MPI_UNWEIGHTED;
}

bool ork_library_is_empty_weights(const int *weights)
{
    return weights == MPI_WEIGHTS_EMPTY;
}

bool ork_library_is_automatic(const void *buffer)
{
    return buffer == MPI_BUFFER_AUTOMATIC;
}
