/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/openmpi/place.h"

bool ork_library_job_rank(struct ork_job_rank *out)
{
    return ork_openmpi_place(out);
}
