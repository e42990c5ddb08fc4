/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of every file and folder that the tool writes, replaces or removes. Somebody else may
 * have put something under its name: a symbolic link, a FIFO, a file of another user. So links are
 * not followed, a file is always a new one (O_EXCL) that replaces an earlier one of this tool, and
 * folders are those of this user. `name` is a path relative to the folder `dir` (or AT_FDCWD); only
 * its last component is checked, for the others are the user's choice. */
#ifndef ORK_COMMON_OUTPUT_FILE_H
#define ORK_COMMON_OUTPUT_FILE_H

#include "common/status.h"

#include <stdbool.h>
#include <stdio.h>

/* What has the name now. */
enum ork_output_found {
    ORK_OUTPUT_NOTHING,
    ORK_OUTPUT_OURS,   /* a regular file that this user may replace, with the right beginning */
    ORK_OUTPUT_LINK,   /* a symbolic link */
    ORK_OUTPUT_FOLDER, /* a folder */
    ORK_OUTPUT_DEVICE, /* no regular file: a device, a FIFO, a socket */
    ORK_OUTPUT_USER,   /* it belongs to another user, and this one may not replace it */
    ORK_OUTPUT_OTHER,  /* a regular file with another beginning, or one that cannot be read */
};

/* A regular file is OURS if it begins with `magic`; NULL: with anything. */
enum ork_output_found ork_output_look(int dir, const char *name, const char *magic);
/* Why it is not replaced, "it is a symbolic link"; NULL: OURS, NOTHING and OTHER. */
const char *ork_output_obstacle(enum ork_output_found found);

/* Can the file be made, or replaced? ORK_EXISTS: it is not OURS; *obstacle as above. ORK_IO:
 * errno. Nothing is changed. */
enum ork_status ork_output_check(const char *path, const char *magic, const char **obstacle);
/* A file where there is nothing yet, to be written: its descriptor, -1 with errno. */
int ork_output_new(int dir, const char *name);
/* A new file, to be written; an earlier one that is OURS is removed. ORK_EXISTS, ORK_IO as
 * ork_output_check(). *fd is the caller's. */
enum ork_status ork_output_create(int dir, const char *name, const char *magic, int *fd);
/* The stream of a descriptor, which it takes over; -1: there is none. NULL with errno. */
FILE *ork_output_stream(int fd);
/* To append to a regular file, which may be missing. Statuses as ork_output_check(). */
enum ork_status ork_output_append(const char *path, FILE **out, const char **obstacle);

/* A regular file, to be read: its descriptor, -1 with errno. It does not wait for a FIFO. */
int ork_output_open(int dir, const char *name);
/* Does this regular file begin so? */
bool ork_output_begins(int dir, const char *name, const char *magic);
/* May this user replace it? In a sticky folder, such as /tmp, only its owner (or that of the
 * folder, or root) may. */
bool ork_output_may_replace(int dir, const char *name);

/* Open a folder; if it is missing, make it. ORK_EXISTS: it is no folder of this user; *obstacle is
 * not NULL. ORK_IO: errno. *fd is the caller's. */
enum ork_status ork_output_folder(int dir, const char *name, int *fd, const char **obstacle);
/* Remove a file, or a folder with all in it, except what is on another file system. Errors are
 * ignored: what cannot be removed remains. */
void ork_output_remove(int dir, const char *name);

#endif
