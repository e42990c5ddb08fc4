/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of communicators: which member is which rank. */
#ifndef ORK_COMMS_GROUP_H
#define ORK_COMMS_GROUP_H

#include "order/comms/comms.h"

/* `size` members from rank `first` on. NULL: out of memory. */
struct ork_group *ork_comms_group_make(uint32_t first, uint32_t size);
/* The group of a COMM_DEF record; both sides of an intercommunicator put the one with the smaller
 * first rank first. *me: the member that the rank is. ORK_INVALID, ORK_NOMEM. */
enum ork_status ork_comms_group_read(uint32_t nprocs, uint32_t rank,
                                     const struct ork_record *record, const uint32_t *list,
                                     uint32_t *me, struct ork_group **group);
/* NULL is allowed. */
void ork_comms_group_release(struct ork_group *g);
bool ork_comms_group_is_same(const struct ork_group *a, const struct ork_group *b);

#endif
