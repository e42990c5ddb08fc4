/* SPDX-License-Identifier: BSD-3-Clause */
/* A leaf: takes the rings of the ranks of its node, drains them in order and sends the records up.
 */
#ifndef ORK_LEAF_H
#define ORK_LEAF_H

#include "overlay/link.h"

#include <poll.h>

struct ork_leaf;

/* Listen for the ranks of a run (names as in record/ring.h). `up` must outlive the leaf. ORK_NOMEM,
 * ORK_IO (logged). */
enum ork_status ork_leaf_create(const char *session, const char *token, const struct ork_up *up,
                                struct ork_leaf **out);
/* NULL is allowed. The ranks that are still attached go on unobserved. */
void ork_leaf_destroy(struct ork_leaf *leaf);

/* Take new ranks, drain every ring once, see who died. *moved: records sent up plus ranks that came
 * or went. Statuses of `up`. */
enum ork_status ork_leaf_step(struct ork_leaf *leaf, size_t *moved);

/* Descriptors that become readable when a rank comes or dies; valid until the next step. */
const struct pollfd *ork_leaf_fds(const struct ork_leaf *leaf, nfds_t *count);

uint32_t ork_leaf_num_attached(const struct ork_leaf *leaf); /* alive now */
uint32_t ork_leaf_num_seen(const struct ork_leaf *leaf);     /* ever */
/* Processes that got no number and run unobserved: of a job whose size is not known, or a second
 * program in a rank's place. */
uint32_t ork_leaf_num_strangers(const struct ork_leaf *leaf);

/* The commands from above, on this leaf. */
struct ork_down ork_leaf_down(struct ork_leaf *leaf);

#endif
