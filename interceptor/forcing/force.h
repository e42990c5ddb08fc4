/* SPDX-License-Identifier: BSD-3-Clause */
/* Forced calls: in a replay each choice point gets its recorded outcome. In a run of an
 * exploration, tests and probes whose outcome is free wait. */
#ifndef ORK_FORCE_H
#define ORK_FORCE_H

/* Call once, before the application's first recorded call: replace the real functions of choice
 * points if this rank follows a recording, or is explored. */
void ork_force_init(void);

#endif
