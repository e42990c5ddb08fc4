/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank attaches to its leaf: an abstract socket, the peer's uid, the run's token, a sealed
 * memfd. */
#ifndef ORK_OVERLAY_LEAF_ATTACH_H
#define ORK_OVERLAY_LEAF_ATTACH_H

#include "common/status.h"
#include "record/ring.h"
#include "record/unseen.h"

#include <stdbool.h>

/* Listen at the address of leaf `number` of this node, see common/leaf_address.h (non-blocking,
 * close-on-exec). ORK_IO (logged), ORK_INVALID: name too long. */
enum ork_status ork_attach_listen(const char *session, const char *token, uint32_t number, int *fd);

/* Is the other end of connection `fd` a process of our own user? */
bool ork_attach_is_ours(int fd);

/* Read the hello of connection `fd`, check the peer, map its ring. ORK_AGAIN: not there yet;
 * ORK_DENIED: rejected (token, uid, shape of the memory, incomplete), which the peer is told;
 * ORK_CLOSED; ORK_NOTFOUND: it says that it used MPI, but none of its calls was seen. On ORK_OK
 * *ring is mapped, the peer waits for the answer, and hello->pid is the process that the kernel
 * names, not the peer (0: in none of our namespaces). */
enum ork_status ork_attach_accept(int fd, const char *token, struct ork_hello *hello,
                                  struct ork_ring **ring);

/* After ORK_NOTFOUND: what that peer says. */
void ork_attach_read_unseen(int fd, struct ork_unseen *unseen);

/* Memory for the sections of this leaf's ranks (record/sections.h): a descriptor, or -1 (logged).
 */
int ork_attach_sections(void);

/* Tell the peer that it is accepted, with the descriptors that are not -1: `sections` as above, the
 * stream of a replay, the bell of a deterministic run. ORK_CLOSED. */
enum ork_status ork_attach_answer(int fd, int sections, int stream, int bell);

void ork_attach_unmap(struct ork_ring *ring);

#endif
