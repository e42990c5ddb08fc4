/* SPDX-License-Identifier: BSD-3-Clause */
/* What the detector knows of a type of call. Each record of a call has one: the column TYPE of
 * record/kinds.def. Whatever depends on the type is here, so that a new one is one file. */
#ifndef ORK_DETECTOR_CALL_TYPE_H
#define ORK_DETECTOR_CALL_TYPE_H

#include "detector/graph/graph.h"
#include "detector/program/program.h"

/* NULL means what the comment says; `enter` is never NULL for a call. */
struct call_type {
    /* The thread enters the call: post its operations. */
    void (*enter)(struct mpi_thread *th);
    /* May the call return under strict semantics? NULL: when none of its parts is open. */
    bool (*is_complete)(struct mpi_thread *th);
    /* The call returns. NULL: nothing is left to do. */
    void (*leave)(struct mpi_thread *th);
    /* Its EXIT record was read, without an error. NULL: it carries nothing. */
    void (*on_exit)(struct mpi_thread *th);
    /* It returned an error: take back what it announced. NULL: nothing. */
    void (*on_error)(struct mpi_thread *th, const struct ork_record *exit);
    /* The run went past the call. NULL: that shows nothing. */
    void (*confirm)(struct mpi_thread *th);
    /* The run went past it: drop what only strict semantics waits for. True: there was some. */
    bool (*relax)(struct mpi_thread *th);
    /* The same for what it receives, when nothing else is left. */
    bool (*release_completed)(struct mpi_thread *th);
    /* Emit what it waits for; returns whether that is open. NULL: it never waits. */
    bool (*wait_condition)(struct wait_graph_builder *b, struct mpi_thread *th);
    /* Append its steps to the program of the rank; false, or NULL: what it does is not known. */
    bool (*to_steps)(struct reader *r);
};

#define ORK_KIND(name, type, traits) extern const struct call_type ork_call_type_##type;
#include "record/kinds.def"
#undef ORK_KIND

#endif
