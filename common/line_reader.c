/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)65536)

static enum ork_status make_room(struct ork_line_reader *lines)
{
    if (lines->first > 0) {
        memmove(lines->text, lines->text + lines->first, lines->size - lines->first);
        lines->size -= lines->first;
        lines->seen -= lines->first;
        lines->first = 0;
    }
    if (lines->capacity - lines->size >= PIECE)
        return ORK_OK;
    if (lines->size > ORK_LINE_MAX)
        return ORK_INVALID;
    size_t capacity = 2 * lines->capacity + PIECE;
    char *text = realloc(lines->text, capacity);

    if (text == NULL)
        return ORK_NOMEM;
    lines->text = text;
    lines->capacity = capacity;
    return ORK_OK;
}

enum ork_status ork_line_reader_read(struct ork_line_reader *lines, int fd)
{
    enum ork_status status = make_room(lines);
    ssize_t n;

    if (status != ORK_OK)
        return status;
    n = read(fd, lines->text + lines->size, lines->capacity - lines->size);
    if (n == 0)
        return ORK_CLOSED;
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? ORK_AGAIN : ORK_IO;
    lines->size += (size_t)n;
    return ORK_OK;
}

const char *ork_line_reader_next(struct ork_line_reader *lines, size_t *size)
{
    char *newline = NULL;

    if (lines->seen < lines->size)
        newline = memchr(lines->text + lines->seen, '\n', lines->size - lines->seen);
    if (newline == NULL) {
        lines->seen = lines->size;
        return NULL;
    }
    const char *line = lines->text + lines->first;
    *size = (size_t)(newline - line);
    lines->first = lines->first + *size + 1;
    lines->seen = lines->first;
    return line;
}

void ork_line_reader_release(struct ork_line_reader *lines)
{
    free(lines->text);
    *lines = (struct ork_line_reader){0};
}
