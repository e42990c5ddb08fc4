/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/uri.h"

#include "common/text.h"

#include <stdio.h>
#include <string.h>

/* What need not be escaped in a path. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"

static char *uri(const char *path, const char *end)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    if (path[0] == '/')
        fputs("file://", out);
    for (const char *c = path; *c != '\0'; c++) {
        if (strchr(PLAIN, *c) != NULL)
            fputc(*c, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*c);
    }
    fputs(end, out);
    return ork_text_close(&stream);
}

char *ork_uri_of_path(const char *path)
{
    return uri(path, "");
}

char *ork_uri_of_folder(const char *path)
{
    size_t size = strlen(path);

    return uri(path, size > 0 && path[size - 1] == '/' ? "" : "/");
}
