/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a source file around places in it. The file's name comes from a report, so it is not
 * trusted: only regular files with names of sources are read, and only up to a limit. */
#ifndef ORK_VIZ_SOURCE_EXCERPT_H
#define ORK_VIZ_SOURCE_EXCERPT_H

#include "common/status.h"

#include <stdint.h>

struct ork_source_excerpt {
    uint32_t first; /* number of line[0] */
    char **line;    /* without the newline; any bytes except NUL */
    uint32_t num_lines;
};

/* The lines first..last, as far as they exist. The caller releases *out. ORK_NOMEM; ORK_NOTFOUND:
 * no such source, or it ends before `first`. */
enum ork_status ork_source_excerpt_read(const char *file, uint32_t first, uint32_t last,
                                        struct ork_source_excerpt *out);
/* Leaves it empty. */
void ork_source_excerpt_release(struct ork_source_excerpt *excerpt);

#endif
