/* SPDX-License-Identifier: BSD-3-Clause */
/* The detector's functions for one type of call. Each record of a call has one type: the column
 * TYPE of record/kinds.def. All that depends on the type is here, so a new type is one file. */
#ifndef ORK_DETECTOR_CALL_TYPE_H
#define ORK_DETECTOR_CALL_TYPE_H

#include "detector/graph/graph.h"
#include "detector/program/program.h"

/* A comment states what NULL means; `enter` is never NULL for a call. */
struct call_type {
    /* The thread enters the call: post its operations. */
    void (*enter)(struct mpi_thread *th);
    /* May the call return under strict semantics? NULL: when none of its parts is open. */
    bool (*is_complete)(struct mpi_thread *th);
    /* The call returns. NULL: nothing left to do. */
    void (*leave)(struct mpi_thread *th);
    /* Its EXIT record was read and has no error. NULL: the record carries nothing. */
    void (*on_exit)(struct mpi_thread *th);
    /* The call returned an error: take back its operations. NULL: nothing to take back. */
    void (*on_error)(struct mpi_thread *th, const struct ork_record *exit);
    /* The run continued after the call. NULL: nothing follows from that. */
    void (*confirm)(struct mpi_thread *th);
    /* The run continued after the call: drop the parts that only strict semantics waits for.
     * Returns whether there were any. */
    bool (*relax)(struct mpi_thread *th);
    /* The same for its receives, when nothing else is left. */
    bool (*release_completed)(struct mpi_thread *th);
    /* Emit what the call waits for; returns whether it is open. NULL: it never waits. */
    bool (*wait_condition)(struct wait_graph_builder *b, struct mpi_thread *th);
    /* Append its steps to the program of the rank. False, or NULL: its effect is unknown. */
    bool (*to_steps)(struct reader *r);
};

#define ORK_KIND(name, type, traits) extern const struct call_type ork_call_type_##type;
#include "record/kinds.def"
#undef ORK_KIND

#endif
