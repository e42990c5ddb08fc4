/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting files in place, each whole or not at all. Names are single path components in the
 * directory `dir`. After ORK_IO errno says why. */
#ifndef ORK_VIZ_ATOMIC_FILE_H
#define ORK_VIZ_ATOMIC_FILE_H

#include "common/status.h"

#include "viz/report_owner.h"

/* Make or replace a file of ours. ORK_EXISTS: somebody else's is there; ORK_IO. Links are not
 * followed. */
enum ork_status ork_atomic_file_put(int dir, const char *name, enum ork_file kind,
                                    const char *text);

/* Remove a file, if it is ours. Keeps errno. */
void ork_atomic_file_remove(int dir, const char *name, enum ork_file kind);

/* Open the directory of ours, made and marked if there is none. ORK_EXISTS, ORK_IO. *fd is the
 * caller's. */
enum ork_status ork_atomic_directory_open(int dir, const char *name, int *fd);

/* Remove files of graphs that are ours and not in keep[]. */
enum ork_status ork_atomic_directory_clear(int dir, char *const *keep, unsigned count);

/* Remove a directory of ours with all that is ours in it; what is not stays, and the directory then
 * too. */
enum ork_status ork_atomic_directory_remove(int dir, const char *name);

#endif
