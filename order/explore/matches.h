/* SPDX-License-Identifier: BSD-3-Clause */
/* What decided the choices of a run: the message that each receive and probe took, those whose
 * receives a test or wait completed, the lock or ordered atomic before another one; and the calls
 * at both ends: a part of the file of its alternatives, for drawings. */
#ifndef ORK_EXPLORE_MATCHES_H
#define ORK_EXPLORE_MATCHES_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the program. Texts may be NULL, and numbers 0: unknown. */
struct ork_call_place {
    const char *function, *file, *module;
    uint32_t line;
    uint64_t offset;
};

/* ---- the tool ---- */

/* `find` says where a call site of a rank is; the texts are valid until the next call. ORK_NOMEM.
 * NULL: the matches are not wanted. */
struct ork_call_places {
    enum ork_status (*find)(void *context, uint32_t rank, uint32_t site,
                            struct ork_call_place *place);
    void *context;
};

/* ---- the explorer ---- */

struct ork_matched_call {
    uint32_t rank, site;
    uint16_t call; /* enum ork_call_id */
};
struct ork_run_match {
    uint64_t number; /* of the choice in the rank of the receive, from 1 */
    /* `receive`: or the call that made another choice; `send`: or the lock or atomic before it. */
    struct ork_matched_call receive, send;
    bool has_send; /* else only the place of the choice is known */
};

struct ork_matches;

enum { ORK_MATCHES_ERROR = 300 };
/* From a file of alternatives. ORK_INVALID: `error` is a sentence without the name of the file.
 * ORK_IO: errno. ORK_NOMEM. */
enum ork_status ork_matches_read(const char *path, struct ork_matches **out,
                                 char error[ORK_MATCHES_ERROR]);
/* NULL is allowed. */
void ork_matches_destroy(struct ork_matches *m);
/* Those of this choice, at least one; NULL: none is known. */
const struct ork_run_match *ork_matches_find(const struct ork_matches *m, uint32_t rank,
                                             uint64_t number, size_t *count);
/* Where the call is. */
struct ork_call_place ork_matches_place(const struct ork_matches *m,
                                        const struct ork_matched_call *call);

#endif
