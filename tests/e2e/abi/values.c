/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants as the standard ABI has them. */
#include <mpi.h>

/* These the ABI does not have. */
#define MPI_2COMPLEX        (-1)
#define MPI_2DOUBLE_COMPLEX (-1)

extern const intptr_t abi_values[];

const intptr_t abi_values[] = {
#define VALUE(kind, name) (intptr_t)name,
#include "tests/e2e/abi/values.def"
};
