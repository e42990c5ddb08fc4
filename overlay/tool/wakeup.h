/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool process that has had nothing to do for a while sleeps for long. Who sends it something
 * then, from the same machine, wakes it. Only a hint: one that is lost costs some milliseconds. */
#ifndef ORK_OVERLAY_TOOL_WAKEUP_H
#define ORK_OVERLAY_TOOL_WAKEUP_H

#include <stdint.h>

/* This process's own: a descriptor that becomes readable when it is rung; -1: it has none. The
 * caller closes it. */
int ork_wakeup_open(void);
/* That of the process with this id, of the same user; with the own one, which may be -1. */
void ork_wakeup_signal(int own, uint32_t pid);
/* The own one was heard: it is not readable until it is rung again. */
void ork_wakeup_clear(int own);

#endif
