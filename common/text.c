/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/text.h"

#include <stdarg.h>
#include <stdio.h>

char *ork_text(const char *format, ...)
{
    char *text = NULL;
    va_list args;

    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    return n < 0 ? NULL : text;
}
