/* SPDX-License-Identifier: BSD-3-Clause */
/* A leaf: attaches to the rings of the ranks of its node, drains them in order and sends the
 * records up. */
#ifndef ORK_OVERLAY_LEAF_LEAF_H
#define ORK_OVERLAY_LEAF_LEAF_H

#include "overlay/stream/link.h"

#include <poll.h>

struct ork_clock;
struct ork_leaf;
struct ork_order_file;
struct ork_stop;

/* Listen for the ranks of a run that leaf `number` of this node serves (names as in record/ring.h).
 * `up` must outlive the leaf. ORK_NOMEM, ORK_IO (logged). */
enum ork_status ork_leaf_create(const char *session, const char *token, uint32_t number,
                                const struct ork_up *up, struct ork_leaf **out);
/* Take the time from this clock, which must outlive the leaf, instead of the machine's. Before the
 * first step. */
void ork_leaf_set_clock(struct ork_leaf *leaf, const struct ork_clock *clock);
/* Give each rank that attaches the stream of its choices in `file`, which must outlive the leaf.
 * Before the first step. */
void ork_leaf_set_replay(struct ork_leaf *leaf, const struct ork_order_file *file);
/* Memory in which all ranks of this node count their critical sections (record/sections.h), for
 * the leaves that are forked afterwards. -1: there is none (logged). */
int ork_leaf_make_sections(void);
/* Give the ranks this memory instead of the leaf's own; the leaf takes over the descriptor. Before
 * any rank attaches. */
void ork_leaf_share_sections(struct ork_leaf *leaf, int sections);
/* The run is deterministic: the ranks follow decisions (ORK_ORDER_DECISION), and wake this leaf
 * through a bell. Before any rank attaches. ORK_IO (logged). */
enum ork_status ork_leaf_set_deterministic(struct ork_leaf *leaf);
/* Hold all ranks of the replay when one is about to make this choice. Before the first step. */
void ork_leaf_set_stop(struct ork_leaf *leaf, const struct ork_stop *stop);
/* NULL is allowed. Ranks that are still attached continue unobserved. */
void ork_leaf_destroy(struct ork_leaf *leaf);

/* Attach new ranks, drain every ring, detect dead ranks. *moved: records sent up or joined plus
 * ranks that attached or ended. Statuses of `up`. */
enum ork_status ork_leaf_step(struct ork_leaf *leaf, size_t *moved);
/* Drain the rings again, without a system call, after a held call of a rank was released. */
enum ork_status ork_leaf_go_on(struct ork_leaf *leaf, size_t *moved);
/* Does the root count iterations, so that calls are not joined here? */
bool ork_leaf_is_folding(const struct ork_leaf *leaf);

/* The run is over: what the ranks have published now is the last. */
void ork_leaf_ask_last(struct ork_leaf *leaf);
/* Was all of that sent, and the end of each rank that has ended? After at least one step. */
bool ork_leaf_has_sent_last(const struct ork_leaf *leaf);

/* Descriptors that become readable when a rank attaches or dies; valid until the next step. */
const struct pollfd *ork_leaf_fds(const struct ork_leaf *leaf, nfds_t *count);

/* Does nothing come before a rank wakes the leaf: has no rank that is attached recorded anything
 * yet? */
bool ork_leaf_is_silent(const struct ork_leaf *leaf);
uint32_t ork_leaf_num_attached(const struct ork_leaf *leaf); /* alive now */
/* The process ids of these ranks, at most `room`. */
void ork_leaf_pids(const struct ork_leaf *leaf, uint32_t *pid, uint32_t room);

/* The leaf as the lower side of a link. */
struct ork_down ork_leaf_down(struct ork_leaf *leaf);

#endif
