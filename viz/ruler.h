/* SPDX-License-Identifier: BSD-3-Clause */
/* A ruler of the bytes of a window with the accesses of a conflict, and what they have in common;
 * or with the end of the memory, which an access is beyond. */
#ifndef ORK_VIZ_RULER_H
#define ORK_VIZ_RULER_H

#include "report/report.h"

#include <stdio.h>

/* Bytes first .. end - 1, as text: "80-159", "80", "0x7f..10-0x7f..17". */
void ork_ruler_put_bytes(FILE *out, const struct ork_window_access *access);

/* As an SVG element with the classes of lanes.css, or nothing: a finding without accesses, or one
 * whose accesses are not to the same memory. */
void ork_ruler_put(FILE *out, const struct ork_finding *finding);

#endif
