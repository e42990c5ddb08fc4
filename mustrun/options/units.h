/* SPDX-License-Identifier: BSD-3-Clause */
/* Values with a unit. Private to options/. */
#ifndef ORK_MUSTRUN_OPTIONS_UNITS_H
#define ORK_MUSTRUN_OPTIONS_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number without sign or blanks. False: it is none, or too large. */
bool ork_number_read(const char *text, size_t length, uint64_t max, uint64_t *out);
/* "90", "1.5h", "250ms": the seconds; the units are us, ms, s, m, h and d. False: it is no such
 * text. */
bool ork_unit_seconds(const char *text, double *out);

/* "4096", "64K", "2G": the bytes; K, M, G and T are powers of 1024. A number without a unit counts
 * in `unit` bytes. False: it is no such text, or too large. */
bool ork_unit_bytes(const char *text, uint64_t unit, uint64_t *out);

#endif
