/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank notes its own end in its ring's memory, for the leaf: see docs/explanation/ends.md.
 * Written by the dying process, in a signal handler too; read by the leaf after the process has
 * hung up. Untrusted, as all of the ring. */
#ifndef ORK_NOTE_H
#define ORK_NOTE_H

#include <stdatomic.h>
#include <stdint.h>

#define ORK_NOTE_FRAMES  32u
#define ORK_NOTE_MODULES 12u
#define ORK_NOTE_PATH    256u

enum ork_note_kind {
    ORK_NOTE_NONE,   /* no note: SIGKILL, or an end that cannot be noted */
    ORK_NOTE_SIGNAL, /* a signal whose disposition ends the process */
    ORK_NOTE_EXIT,   /* exit(), _exit(), return from main */
    ORK_NOTE_ERROR,  /* an MPI call failed under MPI_ERRORS_ARE_FATAL */
    ORK_NOTE_ABORT,  /* MPI_Abort */
};

struct ork_note_frame {
    uint64_t offset;  /* address - load address of the module */
    uint16_t module;  /* index into module[]; UINT16_MAX: in none of them */
    uint16_t is_call; /* 1: a return address, the call is before it */
};

struct ork_note {
    _Atomic uint32_t claimed; /* 1: some thread is writing, or has written, a note */
    _Atomic uint32_t kind;    /* enum ork_note_kind; stored last */
    uint32_t tid;             /* kernel thread id of the writer */
    int32_t value;            /* signal, exit status, MPI error class, MPI_Abort's code */
    int32_t code;             /* SIGNAL: si_code */
    uint32_t sender;          /* SIGNAL: sending process; 0: unknown, or the kernel */
    uint64_t address;         /* SIGNAL: address of the fault */
    uint64_t time_ns;         /* CLOCK_REALTIME */
    char call[48];            /* ERROR: the MPI function that failed; "": unknown */
    char text[256];           /* ERROR: MPI's text; SIGNAL: name of the sender's program */
    uint32_t num_frames;      /* the stack, innermost first */
    uint32_t num_modules;
    struct ork_note_frame frame[ORK_NOTE_FRAMES];
    char module[ORK_NOTE_MODULES][ORK_NOTE_PATH]; /* paths; the first is the executable */
};

#endif
