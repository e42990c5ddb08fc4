/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's dlsym(3). RATIONALE: in this file, the name is that of the preload file's own. */
#ifndef ORK_REAL_DLSYM_H
#define ORK_REAL_DLSYM_H

/* As called from the preload file. */
void *ork_dlsym(void *handle, const char *symbol);

/* Find it: from then on ork_real_dlsym, which lookup.S jumps to, is set. */
typedef void *ork_lookup(void *handle, const char *symbol);
extern _Atomic(ork_lookup *) ork_real_dlsym;
ork_lookup *ork_find_dlsym(void);

#endif
