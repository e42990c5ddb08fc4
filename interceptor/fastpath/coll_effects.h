/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept of the collective calls of an iteration (loop_body.h), and what those with a request
 * change of the tables: the buffers are pending. */
#ifndef ORK_COLL_EFFECTS_H
#define ORK_COLL_EFFECTS_H

#include "interceptor/call/buffers_coll.h"
#include "interceptor/fastpath/loop_body.h"

/* Arrays of counts and displacements, of the calls of an iteration. */
enum { ORK_COLL_ARRAYS = 8192 };

/* Forget all that were kept: another iteration gets templates. */
void ork_coll_arrays_forget(void);

/* Keep those that are significant at the calling rank, and note them in its template. False: they
 * are too many, or it is not known how many they are. `args`: after the call. */
bool ork_coll_arrays_keep(struct ork_template *template, const struct ork_args *args, unsigned mode,
                          const struct ork_coll_buffers *buffers) __attribute__((cold, noinline));

/* Are they the same? */
bool ork_coll_arrays_are(const struct ork_template *template,
                         const struct ork_coll_buffers *buffers) __attribute__((noinline));

/* Enter the buffers of the template, a call with this request. */
void ork_coll_template_restore(const struct ork_call *call, const struct ork_template *template,
                               uint32_t request) __attribute__((cold, noinline));

#endif
