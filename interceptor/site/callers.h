/* SPDX-License-Identifier: BSD-3-Clause */
/* The callers of a call (--must:callers). A call site is then a path: the return address of the
 * call, and the site of the caller, which is such a path itself. Paths that end in the same frames
 * share their sites. */
#ifndef ORK_INTERCEPTOR_CALLERS_H
#define ORK_INTERCEPTOR_CALLERS_H

#include "interceptor/site/site.h"

/* Before recording starts. */
void ork_callers_init(void);

/* site.h: ork_callers_site() */

#endif
