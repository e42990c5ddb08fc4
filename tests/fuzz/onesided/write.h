/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a program as C: write.c. */
#ifndef FUZZ_ONESIDED_WRITE_H
#define FUZZ_ONESIDED_WRITE_H

#include "tests/fuzz/onesided/program.h"

/* A buffer at this place of the own memory; -1: elsewhere, one of two of this event. */
enum { PLACE_TEXT = 32 };
void write_place(char text[PLACE_TEXT], int place, int index, bool is_second);

/* ---- write_call.c ---- */
/* A message or collective call, which is event `index` of its rank. */
void write_call(FILE *out, const struct event *e, int index);

#endif
