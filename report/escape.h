/* SPDX-License-Identifier: BSD-3-Clause */
/* The application's strings on their way out: any bytes in, nothing that the output's reader would
 * obey out. A string is NUL-terminated; NULL counts as "". What is no valid UTF-8, a control
 * character or a bidirectional override comes out as \xNN, a byte at a time (in JSON instead:
 * U+FFFD, see ork_utf8_clean()). */
#ifndef ORK_REPORT_ESCAPE_H
#define ORK_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the valid UTF-8 sequence that s starts with (RFC 3629: no surrogates, no overlong
 * forms), 0 if none. */
size_t ork_utf8_length(const char *s);

/* A copy in which every byte outside of valid UTF-8 became U+FFFD. The caller frees it. NULL: out
 * of memory. */
char *ork_utf8_clean(const char *s);

/* For a terminal or a plain file: one line, cut with "..." behind `max` characters. */
void ork_escape_text(FILE *out, const char *s, size_t max);

/* For element content and quoted attributes of HTML. */
void ork_escape_html(FILE *out, const char *s);

/* For a quoted string of DOT that is a label: newlines become "\n", nothing in it expands (\N, \G,
 * &amp;). Each line is cut with "..." behind `max` characters, the label behind ORK_LABEL_LINES
 * lines. */
#define ORK_LABEL_LINES 4
void ork_escape_dot(FILE *out, const char *s, size_t max);

/* 1204 as "1,204". */
void ork_put_count(FILE *out, uint64_t n);

#endif
