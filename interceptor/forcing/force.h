/* SPDX-License-Identifier: BSD-3-Clause */
/* Forced calls: in a replay each choice point gets its recorded outcome. */
#ifndef ORK_FORCE_H
#define ORK_FORCE_H

/* Call once, before the application's first recorded call: replace the real functions of choice
 * points if this rank follows a recording. */
void ork_force_init(void);

#endif
