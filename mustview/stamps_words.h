/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a file of timestamps in plain words, and the file itself. */
#ifndef ORK_MUSTVIEW_STAMPS_WORDS_H
#define ORK_MUSTVIEW_STAMPS_WORDS_H

#include "windows/stamps/stamps.h"

#include <stdio.h>

/* 0: the caller owns *out; or an exit code, after an error message. */
int ork_view_load_stamps(const char *name, struct ork_stamps **out);
/* "rank 1, event 7: MPI_Put at a.c:10, to rank 2" */
void ork_stamps_put_event(const struct ork_stamps_event *event, FILE *out);

#endif
