/* SPDX-License-Identifier: BSD-3-Clause */
/* One random run of a program under a library that buffers standard sends, and the records that an
 * interceptor writes of it (record/kinds.def). The call site of a record is its step's number + 1.
 */
#ifndef ORK_FUZZ_DETECTOR_RUN_H
#define ORK_FUZZ_DETECTOR_RUN_H

#include "tests/fuzz/detector/model.h"
#include "tests/fuzz/wfg_random.h"

enum { MAX_RECORDS = 256 };

struct stream {
    struct ork_record record[MAX_RECORDS]; /* CONT records too */
    unsigned count;
    bool is_over; /* the rank exited or left MPI_Finalize */
    unsigned
        reported_at[MAX_STEPS]; /* with so many records the step's outcome is known; 0: never */
};

/* What an EARLY record can show of a nonblocking or persistent wildcard receive. */
struct early {
    bool exists;
    struct ork_record record;
    unsigned from; /* its rank had written so many records when the message was matched */
};

struct run {
    struct model model;
    struct state state; /* at its end: nothing moves */
    struct known known; /* all that its records tell */
    struct stream stream[MAX_RANKS];
    struct early early[MAX_ACTS]; /* by act; the streams contain no such records */
};

/* False: the program is too large. */
bool run_random(const struct program *p, struct wfg_random *random, struct run *run);

/* The records. */
void run_print(const struct run *run, FILE *out);

/* The step whose return tells what act `act` took; MAX_STEPS if none does. */
unsigned run_reported_in(const struct run *run, unsigned act);

/* What the first count[r] records of each rank tell. */
void run_known(const struct run *run, const unsigned count[MAX_RANKS], struct known *known);

#endif
