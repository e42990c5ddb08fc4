/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's lock for accesses by the program. RATIONALE: an access may be made by a signal
 * handler that has interrupted a thread with the lock. So it does not wait for ever. */
#ifndef ORK_TOUCH_LOCK_H
#define ORK_TOUCH_LOCK_H

#include "interceptor/ring/recorder.h"

/* False: it is not to be had. Then the access is left out. Accesses that were gathered are not
 * written, unlike in ork_lock(). */
bool ork_touch_lock(void);
void ork_touch_unlock(void);

/* The call site of the code; 0: none. Without the lock. False: it cannot be looked up now. */
bool ork_touch_site(uintptr_t code, uint32_t *site);

#endif
