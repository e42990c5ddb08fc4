/* SPDX-License-Identifier: BSD-3-Clause */
/* The Fortran layer of MPICH replaces constants of Fortran by those of C wherever they stand. One
 * above the standard ABI belongs to no library, and can only give C the constants of C. */
#include "interceptor/mpi/mpi_library.h"

struct ork_fortran_constants ork_fortran_constants = {.in_place = &ork_fortran_constants,
                                                      .statuses_ignore = &ork_fortran_constants};

void ork_fortran_init(void)
{
}

/* RATIONALE: one file of MPICH has the functions of mpif.h, which get a copy, and those of mpi_f08,
 * which do not. */
bool ork_library_copies_sections(const char *layer)
{
    (void)layer;
    return false;
}
