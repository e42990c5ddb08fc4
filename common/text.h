/* SPDX-License-Identifier: BSD-3-Clause */
/* Formatted text. */
#ifndef ORK_COMMON_TEXT_H
#define ORK_COMMON_TEXT_H

#include "common/status.h"

#include <stdbool.h>
#include <stdio.h>

/* The text, as by sprintf(); the caller frees it. NULL: out of memory. */
__attribute__((format(printf, 1, 2))) char *ork_text(const char *format, ...);

/* NULL is equal only to NULL. */
bool ork_text_is_same(const char *a, const char *b);

/* A copy, which the caller frees; NULL stays NULL. False: out of memory. */
bool ork_text_copy(char **to, const char *from);

/* What is behind the last slash: a part of `path`. */
const char *ork_base_name(const char *path);

/* Write a word as a shell reads it: in quotes, if it needs them. */
void ork_text_quote(FILE *out, const char *word);

/* A text that is written piece by piece. */
struct ork_text_stream {
    FILE *out;
    char *text;
    size_t size;
};

/* Where to write it. NULL: out of memory. */
FILE *ork_text_open(struct ork_text_stream *stream);
/* What was written, which the caller frees. NULL: out of memory, also when it was opened. */
char *ork_text_close(struct ork_text_stream *stream);
/* The same for a writer that can fail: returns `status` if that is not ORK_OK; else *text, or
 * ORK_NOMEM. */
enum ork_status ork_text_take(struct ork_text_stream *stream, enum ork_status status, char **text);

/* Write the words of `text` to `out` in lines of at most `columns` characters, each after `indent`
 * blanks. A longer word has a line of its own. */
void ork_text_wrap(FILE *out, const char *text, unsigned indent, unsigned columns);

#endif
