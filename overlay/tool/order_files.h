/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of the order of a run: the recording that is replayed, and the one that is made.
 * RATIONALE: the root writes a file of its own name, which remains if the tool is killed. mustrun
 * knows at the end whether the run ended badly, and says whether to keep it; the root renames or
 * removes it, because it may be on another node. */
#ifndef ORK_OVERLAY_TOOL_ORDER_FILES_H
#define ORK_OVERLAY_TOOL_ORDER_FILES_H

#include "order/file/file.h"

#include <stdbool.h>

struct ork_order_files {
    const char *path;              /* of the recording, if it is kept; NULL: none is made */
    char *part;                    /* of the recording during the run */
    struct ork_order_file *replay; /* NULL: none */
};

/* `path` and `replay` may be NULL; `path` must outlive the files. False: out of memory, or the
 * recording cannot be read (logged). */
bool ork_order_files_init(struct ork_order_files *files, const char *path, const char *session,
                          const char *replay);
/* The run is over: rename the recording to its path, or remove it. A failure is logged. */
void ork_order_files_settle(const struct ork_order_files *files, bool keep);
void ork_order_files_release(struct ork_order_files *files);

#endif
