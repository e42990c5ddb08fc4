/* SPDX-License-Identifier: BSD-3-Clause */
/* dlsym(3): programs that look functions of MPI up (ctypes, Julia) get the entries, too. */
#ifndef ORK_LOOKUP_H
#define ORK_LOOKUP_H

/* Where dlsym(handle, symbol), called from the return address `caller`, is to look: in `handle`; in
 * the preload file, if it would find the function of an MPI library; or where it finds nothing, if
 * without the tool there would be no such function. Keeps errno. */
void *ork_lookup_handle(void *handle, const char *symbol, const void *caller);

#endif
