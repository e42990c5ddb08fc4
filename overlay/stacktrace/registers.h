/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers of a thread that is stopped by ptrace(2): registers_x86_64.c; on other processors
 * (registers_other.c) none is changed. */
#ifndef ORK_OVERLAY_STACKTRACE_REGISTERS_H
#define ORK_OVERLAY_STACKTRACE_REGISTERS_H

#include <sys/types.h>

/* The stop has interrupted a system call without a time limit: restart it when the thread
 * continues. */
void ork_stack_keep_waiting(pid_t tid);

#endif
