/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces files atomically. Names are single path components in the directory `dir`. After ORK_IO
 * errno is the reason. */
#ifndef ORK_VIZ_ATOMIC_FILE_H
#define ORK_VIZ_ATOMIC_FILE_H

#include "common/status.h"

#include "viz/report_owner.h"

/* Make or replace a file of ours. ORK_EXISTS: there is a file of another program; ORK_IO. Links are
 * not followed. */
enum ork_status ork_atomic_file_put(int dir, const char *name, enum ork_file kind,
                                    const char *text);

/* Remove a file, if it is ours. Keeps errno. */
void ork_atomic_file_remove(int dir, const char *name, enum ork_file kind);

/* Open a directory of ours; if it is missing, make and mark it. ORK_EXISTS, ORK_IO. *fd is the
 * caller's. */
enum ork_status ork_atomic_directory_open(int dir, const char *name, int *fd);

/* Remove files of graphs that are ours and not in keep[]. */
enum ork_status ork_atomic_directory_clear(int dir, char *const *keep, unsigned count);

/* Remove a directory of ours with all our files in it. Other files are kept, and then the directory
 * is, too. */
enum ork_status ork_atomic_directory_remove(int dir, const char *name);

#endif
