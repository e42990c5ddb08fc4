/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of a trace that says nothing of the machine it comes from: files without their folders, no
 * process ids, no numbers of MPI functions (they change when one is added). */
#ifndef ORK_TEST_REPLAY_STRIP_H
#define ORK_TEST_REPLAY_STRIP_H

#include "common/status.h"

#include <stdio.h>

enum ork_status strip_trace(FILE *in, const char *out);

#endif
