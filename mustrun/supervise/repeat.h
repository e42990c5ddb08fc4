/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:repeat: runs with one seed of noise after the other, until one of them ends badly. */
#ifndef ORK_MUSTRUN_SUPERVISE_REPEAT_H
#define ORK_MUSTRUN_SUPERVISE_REPEAT_H

#include "mustrun/supervise/once.h"

/* Do at most options->repeat runs. Returns the exit code of the last one. */
int ork_repeat(const struct ork_invocation *invocation, const struct ork_options *options);

#endif
