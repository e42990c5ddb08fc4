/* SPDX-License-Identifier: BSD-3-Clause */
/* The known calls of the ranks since the history began, as a program for interleave/. */
#ifndef ORK_DETECTOR_BUILD_H
#define ORK_DETECTOR_BUILD_H

#include "detector/program/program.h"

/* NULL: out of memory. */
struct program_builder *ork_program_build(struct ork_detector *d,
                                          enum ork_interleaving_scope scope);
/* NULL is allowed. */
void ork_program_builder_destroy(struct program_builder *o);

/* read.c */
/* Read the next record, and its EXIT if that is known; false: no more. */
bool ork_read_next(struct reader *r);

#endif
