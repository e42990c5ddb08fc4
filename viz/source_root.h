/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of source files relative to a folder: services that show findings beside the code know no
 * other ones. */
#ifndef ORK_VIZ_SOURCE_ROOT_H
#define ORK_VIZ_SOURCE_ROOT_H

/* The folder `given`; if that is NULL, the repository that the present folder is in (the nearest
 * folder upwards with ".git" in it), else the present folder. An absolute path without links, the
 * caller's. NULL: errno. */
char *ork_source_root_find(const char *given);

/* A path relative to `root`, without "." and ".."; the caller's. A path that is not below `root`
 * comes out absolute, or as it is if it is relative. NULL: out of memory. `root` may be NULL. */
char *ork_source_path(const char *root, const char *path);

#endif
