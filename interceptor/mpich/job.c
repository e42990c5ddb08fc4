/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpich/place.h"

bool ork_library_job_rank(struct ork_job_rank *out)
{
    return ork_mpich_place(out);
}
