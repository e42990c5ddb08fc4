/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in which choice points are given their outcomes (docs/explanation/order.md): replays, runs
 * of an exploration, deterministic ones. */
#ifndef ORK_IMPOSE_H
#define ORK_IMPOSE_H

/* Call once, before the application's first recorded call: replace the real functions of choice
 * points in such a run. */
void ork_impose_init(void);

#endif
