/* SPDX-License-Identifier: BSD-3-Clause */
/* An exploration on disk: an SQLite database with all runs that have ended. Each is written in one
 * transaction, so whoever is killed, the exploration can go on from there. */
#ifndef ORK_MUSTRUN_EXPLORE_STORE_H
#define ORK_MUSTRUN_EXPLORE_STORE_H

#include "common/status.h"
#include "mustrun/explore/blob.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ork_store;

enum { ORK_STORE_ERROR = 400 };

enum ork_store_use {
    ORK_STORE_NEW,     /* only if there is no exploration that is unfinished */
    ORK_STORE_REPLACE, /* whatever exploration is there */
    ORK_STORE_RESUME,
};

/* Open the database; what is in it stays. No other process can use it until it is closed. `program`
 * and `bounds` are texts that a later exploration must have in common with the one that is resumed.
 * Failures: `error` is a sentence. ORK_INVALID: the file is no exploration, or RESUME: of another
 * program or other bounds; ORK_EXISTS: NEW, and there is an unfinished one; ORK_NOTFOUND: RESUME,
 * and there is none; ORK_IO; ORK_NOMEM. */
enum ork_status ork_store_open(const char *path, enum ork_store_use use, const char *program,
                               const char *bounds, struct ork_store **out,
                               char error[ORK_STORE_ERROR]);
void ork_store_close(struct ork_store *store);

/* Has it never had an exploration? */
bool ork_store_is_empty(struct ork_store *store);
/* Remove what is in it, and begin an exploration, which is unfinished. */
enum ork_status ork_store_begin_exploration(struct ork_store *store, const char *program,
                                            const char *bounds);
/* It has nothing left that could be resumed. */
enum ork_status ork_store_finish_exploration(struct ork_store *store);

/* A run that has ended. */
struct ork_stored_run {
    uint64_t number;     /* from 1 */
    int64_t node, index; /* the decision that it followed: alternative `index` of that node of the
                          * search; node -1: none */
    uint32_t outcome;    /* number, from 0 */
    bool diverged;
    double seconds;
    struct ork_stored_blob order, alternatives; /* files; empty: none */
};
enum ork_status ork_store_add_run(struct ork_store *store, const struct ork_stored_run *run);
/* All runs by number; blobs are valid during the call. `take` returns ORK_OK to go on. */
typedef enum ork_status ork_store_take_run(void *context, const struct ork_stored_run *run);
enum ork_status ork_store_read_runs(struct ork_store *store, ork_store_take_run *take,
                                    void *context);
/* The order of a run; free() *bytes. ORK_NOTFOUND. */
enum ork_status ork_store_read_order(struct ork_store *store, uint64_t run, void **bytes,
                                     size_t *size);
/* The same of its alternatives. */
enum ork_status ork_store_read_alternatives(struct ork_store *store, uint64_t run, void **bytes,
                                            size_t *size);

/* An outcome, the first of whose runs has ended. Texts: NULL is allowed for `message`. */
struct ork_stored_outcome {
    uint32_t number; /* from 0 */
    int kind;        /* enum ork_outcome_kind */
    const char *key, *message;
    uint64_t first; /* run */
};
enum ork_status ork_store_put_outcome(struct ork_store *store,
                                      const struct ork_stored_outcome *outcome);
typedef enum ork_status ork_store_take_outcome(void *context,
                                               const struct ork_stored_outcome *outcome);
enum ork_status ork_store_read_outcomes(struct ork_store *store, ork_store_take_outcome *take,
                                        void *context);

/* Several of these as one: all or none. */
enum ork_status ork_store_begin(struct ork_store *store);
enum ork_status ork_store_commit(struct ork_store *store);

/* What failed last: a text of SQLite. */
const char *ork_store_failure(const struct ork_store *store);

#endif
