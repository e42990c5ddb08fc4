/* SPDX-License-Identifier: BSD-3-Clause */
/* An idle tool process sleeps for a long time. A process on the same machine that sends it
 * something wakes it. Only a hint: a lost one costs some milliseconds. */
#ifndef ORK_OVERLAY_TOOL_WAKEUP_H
#define ORK_OVERLAY_TOOL_WAKEUP_H

#include <stdint.h>

/* This process's own bell: a descriptor that becomes readable when it is rung; -1: none. The caller
 * closes it. */
int ork_wakeup_open(void);
/* Ring the bell of this process of the same user; `own`: the own bell, which may be -1. */
void ork_wakeup_signal(int own, uint32_t pid);
/* Reset the own bell: it is not readable until it is rung again. */
void ork_wakeup_clear(int own);

#endif
