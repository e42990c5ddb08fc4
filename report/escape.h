/* SPDX-License-Identifier: BSD-3-Clause */
/* Escapes strings of the application: any bytes in, nothing that the reader of the output would
 * interpret out. A string is NUL-terminated; NULL counts as "". Invalid UTF-8, control characters
 * and bidirectional overrides become \xNN, byte by byte (in JSON instead: U+FFFD, see
 * ork_utf8_clean()). */
#ifndef ORK_REPORT_ESCAPE_H
#define ORK_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the valid UTF-8 sequence at the start of s (RFC 3629: no surrogates, no overlong forms),
 * 0 if none. */
size_t ork_utf8_length(const char *s);

/* A copy in which every byte outside valid UTF-8 becomes U+FFFD. The caller frees it. NULL: out of
 * memory. */
char *ork_utf8_clean(const char *s);

/* For a terminal or a plain file: one line, cut with "..." after `max` characters. */
void ork_escape_text(FILE *out, const char *s, size_t max);

/* For element content and quoted attributes of HTML. */
void ork_escape_html(FILE *out, const char *s);

/* For a quoted string of DOT that is a label: newlines become "
 * ", nothing in it expands (\N, \G, &amp;). Each line is cut with "..." after `max` characters, the
 * label after ORK_LABEL_LINES lines. */
#define ORK_LABEL_LINES 4
void ork_escape_dot(FILE *out, const char *s, size_t max);

/* 1204 as "1,204". */
void ork_put_count(FILE *out, uint64_t n);

#endif
