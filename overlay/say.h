/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root tells mustrun: one JSON object a line on stdout. */
#ifndef ORK_SAY_H
#define ORK_SAY_H

#include "overlay/root.h"

extern const struct ork_report_sink ork_say_sink;

/* The tool listens for ranks; `tree` describes it. */
void ork_say_ready(const char *tree);
/* All ranks that came have gone. */
void ork_say_gone(void);
/* Statistics and notes. `failed`: the tool could not go on. */
void ork_say_final(struct ork_root *root, bool failed);

#endif
