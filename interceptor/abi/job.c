/* SPDX-License-Identifier: BSD-3-Clause */
/* Each library has the launcher that belongs to it, whatever its ABI. */
#include "interceptor/abi/implementation.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpich/place.h"
#include "interceptor/openmpi/place.h"

bool ork_library_job_rank(struct ork_job_rank *out)
{
    return ork_abi_is_openmpi() ? ork_openmpi_place(out) : ork_mpich_place(out);
}
