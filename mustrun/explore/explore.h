/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:explore: many runs of one program, each with another order of messages. */
#ifndef ORK_MUSTRUN_EXPLORE_EXPLORE_H
#define ORK_MUSTRUN_EXPLORE_EXPLORE_H

#include "mustrun/supervise/once.h"

/* The folder below the output directory. */
#define ORK_EXPLORATION_NAME "MUST_Exploration"

/* Returns the exit code of mustrun. */
int ork_explore(const struct ork_invocation *invocation, const struct ork_options *options);

#endif
