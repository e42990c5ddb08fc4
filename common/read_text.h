/* SPDX-License-Identifier: BSD-3-Clause */
/* Small text files, as a whole. */
#ifndef ORK_COMMON_READ_TEXT_H
#define ORK_COMMON_READ_TEXT_H

#include <stdio.h>

/* The text of a file up to its first NUL byte; the caller frees it. NULL: errno. */
char *ork_read_text(const char *path);
/* The same of a stream, which is closed; NULL is allowed, and keeps errno. */
char *ork_read_text_stream(FILE *in);

#endif
