/* SPDX-License-Identifier: BSD-3-Clause */
/* Formatted text. */
#ifndef ORK_COMMON_TEXT_H
#define ORK_COMMON_TEXT_H

#include <stdio.h>

/* The text, as by sprintf(); the caller frees it. NULL: out of memory. */
__attribute__((format(printf, 1, 2))) char *ork_text(const char *format, ...);

/* Write the words of `text` to `out` in lines of at most `columns` characters, each after `indent`
 * blanks. A longer word has a line of its own. */
void ork_text_wrap(FILE *out, const char *text, unsigned indent, unsigned columns);

#endif
