/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/escape.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_tail(unsigned char c)
{
    return (c & 0xc0u) == 0x80u;
}

size_t ork_utf8_length(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;

    if (u[0] == 0)
        return 0;
    if (u[0] < 0x80)
        return 1;
    if (u[0] < 0xc2 || u[0] > 0xf4 || !is_tail(u[1]))
        return 0;
    if (u[0] < 0xe0)
        return 2;
    if (u[0] == 0xe0 && u[1] < 0xa0) /* overlong */
        return 0;
    if (u[0] == 0xed && u[1] > 0x9f) /* surrogate */
        return 0;
    if (u[0] == 0xf0 && u[1] < 0x90) /* overlong */
        return 0;
    if (u[0] == 0xf4 && u[1] > 0x8f) /* above U+10FFFF */
        return 0;
    if (!is_tail(u[2]))
        return 0;
    if (u[0] < 0xf0)
        return 3;
    return is_tail(u[3]) ? 4 : 0;
}

char *ork_utf8_clean(const char *s)
{
    if (s == NULL)
        s = "";
    char *copy = malloc(3 * strlen(s) + 1);
    if (copy == NULL)
        return NULL;
    char *to = copy;
    while (*s != '\0') {
        size_t n = ork_utf8_length(s);
        if (n == 0) {
            memcpy(to, "\xef\xbf\xbd", 3);
            to += 3;
            s++;
            continue;
        }
        memcpy(to, s, n);
        to += n;
        s += n;
    }
    *to = '\0';
    return copy;
}

/* A sequence of two or three bytes that controls the display: C1 controls (U+0080..9F), line and
 * paragraph separators, bidirectional overrides and isolates (U+2028..2E, U+2066..69); and U+FFFE,
 * U+FFFF, which XML forbids. */
static bool is_steering(const unsigned char *u)
{
    if (u[0] == 0xc2)
        return u[1] < 0xa0;
    if (u[0] == 0xef)
        return u[1] == 0xbf && u[2] >= 0xbe;
    if (u[0] != 0xe2)
        return false;
    return (u[1] == 0x80 && u[2] >= 0xa8 && u[2] <= 0xae) ||
           (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9);
}

/* Bytes of the character at s (not at the end), and whether it may be shown as it is. */
static size_t next_char(const char *s, bool *plain)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t n = ork_utf8_length(s);

    *plain = n > 0 && u[0] >= 0x20 && u[0] != 0x7f && !is_steering(u);
    return n > 0 ? n : 1;
}

static void put_hidden(FILE *out, const char *s, size_t n, const char *backslash)
{
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%sx%02X", backslash, (unsigned)(unsigned char)s[i]);
}

void ork_escape_text(FILE *out, const char *s, size_t max)
{
    if (s == NULL)
        return;
    for (size_t shown = 0; *s != '\0'; shown++) {
        bool plain;
        size_t n = next_char(s, &plain);
        if (shown == max) {
            fputs("...", out);
            return;
        }
        if (plain)
            fwrite(s, 1, n, out);
        else
            put_hidden(out, s, n, "\\");
        s += n;
    }
}

static const char *html_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void ork_escape_html(FILE *out, const char *s)
{
    if (s == NULL)
        return;
    while (*s != '\0') {
        bool plain;
        size_t n = next_char(s, &plain);
        const char *entity = html_entity(*s);
        if (entity != NULL)
            fputs(entity, out);
        else if (plain)
            fwrite(s, 1, n, out);
        else
            put_hidden(out, s, n, "\\");
        s += n;
    }
}

static void put_dot_char(FILE *out, const char *s, size_t n, bool plain)
{
    if (!plain)
        put_hidden(out, s, n, "\\\\");
    else if (*s == '"' || *s == '\\')
        fprintf(out, "\\%c", *s);
    else if (*s == '&')
        fputs("&amp;", out);
    else
        fwrite(s, 1, n, out);
}

void ork_escape_dot(FILE *out, const char *s, size_t max)
{
    if (s == NULL)
        return;
    size_t lines = 1;
    size_t shown = 0;
    while (*s != '\0') {
        bool plain;
        size_t n = next_char(s, &plain);
        if (*s == '\n') {
            if (++lines > ORK_LABEL_LINES) {
                fputs("...", out);
                return;
            }
            fputs("\\n", out);
            shown = 0;
        } else if (shown++ < max) {
            put_dot_char(out, s, n, plain);
        } else if (shown == max + 1) {
            fputs("...", out);
        }
        s += n;
    }
}

void ork_put_count(FILE *out, uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);

    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            fputc(',', out);
        fputc(digits[i], out);
    }
}
