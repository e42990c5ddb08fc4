/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:timestamps: writes the events that windows/onesided/ follows to a file
 * (windows/stamps/stamps.h). */
#ifndef ORK_OVERLAY_ROOT_TIMESTAMPS_H
#define ORK_OVERLAY_ROOT_TIMESTAMPS_H

#include "windows/onesided/onesided.h"
#include "overlay/findings/call_sites.h"

struct ork_timestamps;

/* As ork_stamps_create(). The caller owns *out. */
enum ork_status ork_timestamps_create(const char *path, uint32_t nprocs,
                                      struct ork_timestamps **out);
/* For ork_onesided_listen(); it is valid until the file is destroyed. */
const struct ork_onesided_listener *ork_timestamps_listener(struct ork_timestamps *t);
/* No more events come. Writes the places of the calls (`sites`: NULL: none), and why the order is
 * not known to the end (NULL: it is). ORK_IO: something could not be written; ORK_NOMEM. */
enum ork_status ork_timestamps_finish(struct ork_timestamps *t, struct ork_call_sites *sites,
                                      const char *lost);
/* Without finish, the file is one that was cut off. NULL is allowed. */
void ork_timestamps_destroy(struct ork_timestamps *t);

#endif
