/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes from a pipe, cut into lines. */
#ifndef ORK_COMMON_LINE_READER_H
#define ORK_COMMON_LINE_READER_H

#include "common/status.h"

#include <stddef.h>

/* The longest valid line. */
#define ORK_LINE_MAX ((size_t)1 << 28)

/* Initialised to zero. */
struct ork_line_reader {
    char *text;
    size_t first; /* start of the unread part */
    size_t size;
    size_t seen; /* no newline before this */
    size_t capacity;
};

/* Read what is available from a nonblocking descriptor. ORK_AGAIN: nothing now; ORK_CLOSED: end of
 * the data; ORK_INVALID: the line is too long; ORK_NOMEM, ORK_IO. */
enum ork_status ork_line_reader_read(struct ork_line_reader *lines, int fd);

/* The next whole line without its newline, valid until the next read; NULL: none. */
const char *ork_line_reader_next(struct ork_line_reader *lines, size_t *size);

void ork_line_reader_release(struct ork_line_reader *lines);

#endif
