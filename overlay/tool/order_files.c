/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/order_files.h"

#include "common/log.h"
#include "common/output_file.h"
#include "common/session.h"
#include "common/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_replay(struct ork_order_files *files, const char *path)
{
    char error[ORK_ORDER_ERROR];
    enum ork_status status = ork_order_file_read(path, &files->replay, error);

    if (status != ORK_OK)
        ork_error("cannot replay %s: %s", path,
                  status == ORK_INVALID ? error
                  : status == ORK_IO    ? strerror(errno)
                                        : ork_status_text(status));
    return status == ORK_OK;
}

bool ork_order_files_init(struct ork_order_files *files, const char *path, const char *session,
                          const char *replay)
{
    *files = (struct ork_order_files){.path = path};
    if (path != NULL) {
        files->part = ork_text(ORK_ORDER_PART_FORMAT, path, session);
        if (files->part == NULL)
            return false;
    }
    return replay == NULL || read_replay(files, replay);
}

/* RATIONALE: checked again, because mustrun may be on another node, and time has passed. */
static bool may_replace(const char *path, const char **why)
{
    enum ork_output_found found = ork_output_look(AT_FDCWD, path, ORK_ORDER_MAGIC);

    *why = ork_output_obstacle(found);
    if (*why == NULL)
        *why = "it exists and is not an order file";
    return found == ORK_OUTPUT_NOTHING || found == ORK_OUTPUT_OURS;
}

void ork_order_files_settle(const struct ork_order_files *files, bool keep)
{
    const char *why;

    if (files->part == NULL)
        return;
    if (keep && !may_replace(files->path, &why))
        ork_error("the order of the run remains in %s, not in %s: %s", files->part, files->path,
                  why);
    else if (keep && rename(files->part, files->path) != 0)
        ork_error("the order of the run remains in %s: %s", files->part, strerror(errno));
    else if (!keep && unlink(files->part) != 0)
        ork_error("cannot remove %s: %s", files->part, strerror(errno));
}

void ork_order_files_release(struct ork_order_files *files)
{
    free(files->part);
    ork_order_file_destroy(files->replay);
    *files = (struct ork_order_files){.path = NULL};
}
