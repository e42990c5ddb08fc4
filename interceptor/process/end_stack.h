/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack of a thread that ends its process. May be called in a signal handler, and with a
 * damaged stack: what cannot be walked is left out. */
#ifndef ORK_END_STACK_H
#define ORK_END_STACK_H

#include "record/note.h"

/* Collect what a signal handler cannot find out. Once. */
void ork_end_stack_init(void);

/* Frames of the calling thread, from the place of a signal on, whose handler got `context`; NULL:
 * no signal. */
void ork_end_take_stack(struct ork_note *note, const void *context);

#endif
