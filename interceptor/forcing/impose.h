/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in which choice points are given their outcomes (docs/explanation/order.md): replays, runs
 * of an exploration, deterministic ones. */
#ifndef ORK_IMPOSE_H
#define ORK_IMPOSE_H

/* Call once, before the application's first recorded call: replace the real functions of choice
 * points in such a run. */
void ork_impose_init(void);

/* Each replaces the functions of a file. */
void ork_impose_sends(void);
void ork_impose_receives(void);
void ork_impose_probes(void);
void ork_impose_completion(void);
void ork_impose_some(void);
void ork_impose_cancelling(void);
void ork_impose_locks(void);

#endif
