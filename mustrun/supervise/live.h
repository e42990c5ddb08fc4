/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests about a run over an abstract unix socket while the run lasts. A request is a line:
 * "name" (which run this is), "text" or "json" (where its ranks are). The answer ends with the
 * connection. Nothing here waits for a reader: what it does not read in time is dropped. */
#ifndef ORK_MUSTRUN_SUPERVISE_LIVE_H
#define ORK_MUSTRUN_SUPERVISE_LIVE_H

#include "common/status.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORK_LIVE_CONNECTIONS = 16, ORK_LIVE_FDS = ORK_LIVE_CONNECTIONS + 1 };

struct ork_live;

/* Listen for a run of this user. ORK_IO: the kernel forbids it; errno. ORK_NOMEM. */
enum ork_status ork_live_create(const char *session, struct ork_live **out);
/* NULL is allowed. */
void ork_live_destroy(struct ork_live *live);

/* The descriptors for poll(); returns their number. */
nfds_t ork_live_fds(const struct ork_live *live, struct pollfd fds[ORK_LIVE_FDS]);
/* When to call ork_live_step() without any event, in milliseconds from now; -1: never. */
int ork_live_wait(const struct ork_live *live);

/* Requests that are not answered yet. */
struct ork_live_questions {
    bool name, text, json;
};
/* Read what has come, and write as much as fits. */
struct ork_live_questions ork_live_step(struct ork_live *live);

/* Answer all requests of this kind; NULL: they are dropped. */
void ork_live_answer_name(struct ork_live *live, const char *answer);
void ork_live_answer_text(struct ork_live *live, const char *answer);
void ork_live_answer_json(struct ork_live *live, const char *answer);

#endif
