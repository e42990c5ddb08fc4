/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of runs, as the store keeps them. */
#ifndef ORK_MUSTRUN_EXPLORE_BLOB_H
#define ORK_MUSTRUN_EXPLORE_BLOB_H

#include <stddef.h>

struct ork_stored_blob {
    const void *bytes;
    size_t size;
};

/* The contents of a file; a missing one is empty. */
struct ork_stored_blob ork_blob_map(const char *folder, const char *name);
void ork_blob_unmap(struct ork_stored_blob blob);
/* A path at which the bytes can be read until *fd, negative or the caller's, is closed; the caller
 * frees it. NULL: that failed. */
char *ork_blob_path(struct ork_stored_blob blob, int *fd);

#endif
