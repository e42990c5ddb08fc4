/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: constants of Fortran are common blocks, which the Fortran layer knows by their address.
 * It replaces them by those of C only where they may stand. */
#include "interceptor/mpi/mpi_library.h"

#include <dlfcn.h>
#include <string.h>

struct ork_fortran_constants ork_fortran_constants = {.in_place = &ork_fortran_constants,
                                                      .statuses_ignore = &ork_fortran_constants};

static void find(const char *symbol, const void **constant)
{
    const void *address = dlsym(RTLD_DEFAULT, symbol);

    if (address != NULL)
        *constant = address;
}

void ork_fortran_init(void)
{
    find("mpi_fortran_in_place_", &ork_fortran_constants.in_place);
    find("mpi_fortran_statuses_ignore_", &ork_fortran_constants.statuses_ignore);
}

/* RATIONALE: MPI_SUBARRAYS_SUPPORTED is false in all of its Fortran layers, mpi_f08 included. */
bool ork_library_copies_sections(const char *layer)
{
    const char *slash = strrchr(layer, '/');
    const char *name = slash != NULL ? slash + 1 : layer;

    return strncmp(name, "libmpi_mpifh", strlen("libmpi_mpifh")) == 0 ||
           strncmp(name, "libmpi_usempi", strlen("libmpi_usempi")) == 0;
}
