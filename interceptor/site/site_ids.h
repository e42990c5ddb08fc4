/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of call sites, for those that site.c finds by their address and those that python.c finds
 * by file and line. */
#ifndef ORK_INTERCEPTOR_SITE_IDS_H
#define ORK_INTERCEPTOR_SITE_IDS_H

#include <stdint.h>

void ork_sites_lock(void);
void ork_sites_unlock(void);
/* A new number for a SITE record. Call it with the lock held. */
uint32_t ork_site_next_id(void);

#endif
