/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/argv.h"
#include "common/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(struct ork_argv *argv)
{
    if (argv->count + 1 < argv->capacity)
        return true;
    size_t capacity = argv->capacity > 0 ? 2 * argv->capacity : 16;
    char **item = realloc(argv->item, capacity * sizeof(*item));

    if (item == NULL)
        return false;
    argv->item = item;
    argv->capacity = capacity;
    return true;
}

static void take(struct ork_argv *argv, char *text)
{
    if (argv->failed || text == NULL || !grow(argv)) {
        argv->failed = true;
        free(text);
        return;
    }
    argv->item[argv->count++] = text;
    argv->item[argv->count] = NULL;
}

void ork_argv_add(struct ork_argv *argv, const char *text)
{
    take(argv, strdup(text));
}

void ork_argv_addf(struct ork_argv *argv, const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    take(argv, text);
}

void ork_argv_replace(struct ork_argv *argv, size_t i, char *text)
{
    if (text == NULL) {
        argv->failed = true;
        return;
    }
    free(argv->item[i]);
    argv->item[i] = text;
}

void ork_argv_release(struct ork_argv *argv)
{
    for (size_t i = 0; i < argv->count; i++)
        free(argv->item[i]);
    free(argv->item);
    *argv = (struct ork_argv){0};
}

char *ork_argv_quote(const struct ork_argv *argv)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < argv->count; i++) {
        if (i > 0)
            fputc(' ', out);
        ork_text_quote(out, argv->item[i]);
    }
    return ork_text_close(&stream);
}
