/* SPDX-License-Identifier: BSD-3-Clause */
/* The ABI is that of C. A Fortran layer above it belongs to no library, and gives C only constants
 * of C. */
#include "interceptor/mpi/mpi_library.h"

struct ork_fortran_constants ork_fortran_constants = {.in_place = &ork_fortran_constants,
                                                      .statuses_ignore = &ork_fortran_constants};

void ork_fortran_init(void)
{
}

bool ork_library_copies_sections(const char *layer)
{
    (void)layer;
    return false;
}
