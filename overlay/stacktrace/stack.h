/* SPDX-License-Identifier: BSD-3-Clause */
/* The call stack of a thread of another process, taken from outside (ptrace and libdwfl). The
 * thread is stopped while its frames are walked, and continues before they are named. It gets no
 * signal, and its system calls continue. Those that a stop interrupts with EINTR (epoll_wait,
 * sigtimedwait, semop, io_getevents) continue if they have no time limit (on x86-64); with one, as
 * a receive with SO_RCVTIMEO, they return EINTR, as after SIGSTOP and SIGCONT (signal(7)). */
#ifndef ORK_OVERLAY_STACKTRACE_STACK_H
#define ORK_OVERLAY_STACKTRACE_STACK_H

#include "common/status.h"
#include "record/note.h"
#include "report/report.h"

struct ork_frame {
    char *function; /* NULL if unknown, like the next two */
    char *file;
    char *module;    /* path of the executable or library */
    uint64_t offset; /* address in the module, as in struct ork_where */
    uint32_t line;   /* 0: unknown */
    bool inlined;    /* into the next frame */
};

struct ork_stack {
    struct ork_frame *frame; /* of the application, innermost first: the one that called MPI */
    uint32_t num_frames;
    struct ork_frame *inside; /* in MPI, the interceptor, the C library: innermost first */
    uint32_t num_inside;
    uint32_t thread;     /* kernel thread id */
    bool cut;            /* there are more frames further out */
    uint64_t stopped_ns; /* how long the thread was stopped */
    char reason[200];    /* why there is no stack; else "" */
};

struct ork_stack_limits {
    uint32_t frames;       /* of the application */
    uint32_t milliseconds; /* after that no further frame is walked or named */
};

/* Files that were read, and named addresses in them: shared by all ranks of a program. */
struct ork_stacks;

enum ork_status ork_stacks_create(struct ork_stacks **out);
/* NULL is allowed. */
void ork_stacks_destroy(struct ork_stacks *stacks);

/* Take the stack of thread `tid` of process `pid`. *out is always written, and the caller's to
 * release. ORK_DENIED: no stack; out->reason is a sentence without a full stop (the kernel forbids
 * it, a debugger is attached, the process has ended). ORK_NOMEM. */
enum ork_status ork_stack_take(struct ork_stacks *stacks, uint32_t pid, uint32_t tid,
                               const struct ork_stack_limits *limits, struct ork_stack *out);
/* The language layer of the MPI library in which the process was when it noted its end: the name of
 * a file, of the note; "": it was not in one. */
const char *ork_stack_layer_of_note(const struct ork_note *note);
/* The same for the stack that a process, now gone, noted when it ended. The note is untrusted, and
 * no longer written. No frames: it noted none. ORK_NOMEM. */
enum ork_status ork_stack_of_note(struct ork_stacks *stacks, const struct ork_note *note,
                                  const struct ork_stack_limits *limits, struct ork_stack *out);
void ork_stack_release(struct ork_stack *stack);

/* Move the frames of the application to the row of a report: wait->stack, wait->num_stack.
 * ORK_NOMEM: nothing moved. */
enum ork_status ork_stack_give(struct ork_stack *stack, struct ork_rank_row *wait);

#endif
