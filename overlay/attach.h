/* SPDX-License-Identifier: BSD-3-Clause */
/* The meeting of a rank and its leaf: an abstract socket, the peer's uid, the run's token, a sealed
 * memfd. */
#ifndef ORK_ATTACH_H
#define ORK_ATTACH_H

#include "common/status.h"
#include "record/ring.h"

/* Listen on the socket of leaf `number` of this node (non-blocking, close-on-exec). ORK_IO
 * (logged), ORK_INVALID: name too long. */
enum ork_status ork_attach_listen(const char *session, uint32_t number, int *fd);

/* Read the hello of connection `fd`, check who it is, map its ring. ORK_AGAIN: not there yet;
 * ORK_DENIED: not ours (token, uid, shape of the memory); ORK_CLOSED. On ORK_OK the peer was told
 * so and *ring is mapped. */
enum ork_status ork_attach_accept(int fd, const char *token, struct ork_hello *hello,
                                  struct ork_ring **ring);

void ork_attach_unmap(struct ork_ring *ring);

#endif
