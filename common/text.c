/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/text.h"

#include <stdarg.h>
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
