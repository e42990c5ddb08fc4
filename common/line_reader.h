/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes from a pipe, cut into lines. */
#ifndef ORK_COMMON_LINE_READER_H
#define ORK_COMMON_LINE_READER_H

#include "common/status.h"

#include <stddef.h>

/* The longest line; more is a broken tool. */
#define ORK_LINE_MAX ((size_t)1 << 28)

/* Starts from all zero. */
struct ork_line_reader {
    char *text;
    size_t first; /* of what has not been given out */
    size_t size;
    size_t seen; /* up to where there is no newline */
    size_t capacity;
};

/* Read what is there from a nonblocking descriptor. ORK_AGAIN: nothing now; ORK_CLOSED: nothing
 * ever again; ORK_INVALID: the line is too long; ORK_NOMEM, ORK_IO. */
enum ork_status ork_line_reader_read(struct ork_line_reader *lines, int fd);

/* The next whole line without its newline, valid until the next read; NULL if there is none. */
const char *ork_line_reader_next(struct ork_line_reader *lines, size_t *size);

void ork_line_reader_release(struct ork_line_reader *lines);

#endif
