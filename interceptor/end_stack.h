/* SPDX-License-Identifier: BSD-3-Clause */
/* The stack of a thread that ends its process. May be called in a signal handler, and where the
 * stack is damaged: what cannot be walked is left out. */
#ifndef ORK_END_STACK_H
#define ORK_END_STACK_H

#include "record/note.h"

/* What a signal handler could not find out by itself. Once. */
void ork_end_stack_init(void);

/* Frames of the calling thread; `pc` is where a signal came, 0: none did. */
void ork_end_take_stack(struct ork_note *note, uintptr_t pc);

#endif
