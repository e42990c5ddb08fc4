/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORK_OPENMPI_CODES_H
#define ORK_OPENMPI_CODES_H

/* The error code that MPI's functions know for one that Open MPI uses inside. */
int ork_openmpi_code(int inside);

#endif
