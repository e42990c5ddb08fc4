/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/source_line.h"

#include "overlay/stacktrace/stack_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a file that is read. */
enum { SIZE_MAX_READ = 1 << 24 };

char *ork_source_line(const char *file, uint32_t line)
{
    int fd = ork_stack_open(0, file);
    FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
    char *text = NULL;
    size_t room = 0;
    ssize_t length = -1, read = 0;

    if (fd >= 0 && in == NULL)
        close(fd);
    for (uint32_t i = 0; in != NULL && i < line && read < SIZE_MAX_READ; i++) {
        length = getline(&text, &room, in);
        if (length < 0)
            break;
        read += length;
        length = i + 1 == line ? length : -1;
    }
    if (in != NULL)
        fclose(in);
    if (length >= 0 && strlen(text) == (size_t)length)
        return text;
    free(text);
    return NULL;
}
