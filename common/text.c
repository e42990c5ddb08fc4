/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *ork_text(const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    return n < 0 ? NULL : text;
}

bool ork_text_is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool ork_text_copy(char **to, const char *from)
{
    *to = from != NULL ? strdup(from) : NULL;
    return from == NULL || *to != NULL;
}

const char *ork_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,@%+-";

    return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

void ork_text_quote(FILE *out, const char *word)
{
    if (is_plain(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}

FILE *ork_text_open(struct ork_text_stream *stream)
{
    *stream = (struct ork_text_stream){.text = NULL};
    stream->out = open_memstream(&stream->text, &stream->size);
    return stream->out;
}

char *ork_text_close(struct ork_text_stream *stream)
{
    if (stream->out != NULL && fclose(stream->out) == 0)
        return stream->text;
    free(stream->text);
    return NULL;
}

enum ork_status ork_text_take(struct ork_text_stream *stream, enum ork_status status, char **text)
{
    char *taken = ork_text_close(stream);

    if (status == ORK_OK && taken != NULL) {
        *text = taken;
        return ORK_OK;
    }
    free(taken);
    return status == ORK_OK ? ORK_NOMEM : status;
}

void ork_text_wrap(FILE *out, const char *text, unsigned indent, unsigned columns)
{
    size_t used = 0; /* columns of this line; 0: it has no word yet */

    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        int length = (int)strcspn(text, " ");
        if (used > 0 && used + 1 + (size_t)length > columns) {
            fputc('\n', out);
            used = 0;
        }
        fprintf(out, "%*s%.*s", used > 0 ? 1 : (int)indent, "", length, text);
        used += (used > 0 ? 1 : indent) + (size_t)length;
        text += length;
    }
    fputc('\n', out);
}
