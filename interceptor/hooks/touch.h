/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of the program itself, from the runtime that is linked into it
 * (interceptor/memory/runtime/tool.h). */
#ifndef ORK_TOUCH_H
#define ORK_TOUCH_H

/* Calls are recorded from now on. */
void ork_touch_init(void);

#endif
