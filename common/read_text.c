/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/read_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *ork_read_text_stream(FILE *in)
{
    char *text = NULL;
    size_t room = 0;

    if (in == NULL)
        return NULL;
    ssize_t n = getdelim(&text, &room, '\0', in);
    int saved = errno;
    bool failed = n < 0 && ferror(in);
    fclose(in);
    if (n < 0 && !failed) { /* an empty file */
        free(text);
        return strdup("");
    }
    if (failed) {
        free(text);
        errno = saved;
        return NULL;
    }
    return text;
}

char *ork_read_text(const char *path)
{
    return ork_read_text_stream(fopen(path, "re"));
}
