/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports of memory that ended too early. The recorder's lock is held. */
#ifndef ORK_RELEASE_REPORTS_H
#define ORK_RELEASE_REPORTS_H

#include "interceptor/buffers/pending_blocks.h"
#include "record/devices.h"

/* What has given memory back. */
struct ork_releaser {
    const char *how;        /* "free"; static storage. NULL: not known by name: */
    enum ork_device device; /* the runtime of this device; NONE: the return of a function */
    uint32_t site;
};

/* It has given back the memory of a pending operation, of which call, site, use and rma count. */
void ork_release_report(const struct ork_releaser *by, const struct ork_pending_block *operation);
/* The same for an operation of a shared handle, once all operations of shared handles are complete.
 * RATIONALE: the program may have lost the handle of this one, and know by a reply that the buffer
 * is not in use any more (MPI-3.1 section 3.7.3). Then only the lost handle is a mistake. */
void ork_release_report_later(const struct ork_releaser *by,
                              const struct ork_pending_block *operation);

/* The library has returned a shared handle for an operation, or a call has completed or freed one;
 * and some of either may not have been counted. */
void ork_shared_started(void);
void ork_shared_ended(void);
void ork_shared_are_unsure(void);

#endif
