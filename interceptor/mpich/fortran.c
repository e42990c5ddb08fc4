/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH: its Fortran layer replaces constants of Fortran by those of C wherever they stand. */
#include "interceptor/mpi/mpi_library.h"

struct ork_fortran_constants ork_fortran_constants = {.in_place = &ork_fortran_constants,
                                                      .statuses_ignore = &ork_fortran_constants};

void ork_fortran_init(void)
{
}

/* RATIONALE: one file has the functions of mpif.h, which get a copy, and those of mpi_f08, which do
 * not. */
bool ork_library_copies_sections(const char *layer)
{
    (void)layer;
    return false;
}
