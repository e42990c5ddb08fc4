/* SPDX-License-Identifier: BSD-3-Clause */
/* Small elements that all parts of the page use. */
#include "viz/html.h"

#include "common/text.h"
#include "report/escape.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

bool ork_html_has_room(FILE *out)
{
    return ftell(out) < ORK_HTML_ENOUGH;
}

void ork_html_put(FILE *out, const char *tag, const char *class_, const char *s)
{
    if (s == NULL || s[0] == '\0')
        return;
    fprintf(out, "<%s", tag);
    if (class_ != NULL)
        fprintf(out, " class=\"%s\"", class_);
    fputc('>', out);
    ork_escape_html(out, s);
    fprintf(out, "</%s>\n", tag);
}

void ork_html_put_list(FILE *out, const char *class_, char *const *text, uint32_t count)
{
    if (count == 0)
        return;
    fprintf(out, "<ul class=\"%s\">\n", class_);
    for (uint32_t i = 0; i < count && ork_html_has_room(out); i++)
        ork_html_put(out, "li", NULL, text[i]);
    fputs("</ul>\n", out);
}

/* The whole path is in the title. */
void ork_html_put_place(FILE *out, const struct ork_where *where)
{
    const char *file = where->file != NULL ? where->file : where->module;

    if (where->function != NULL && where->function[0] != '\0') {
        fputs("<code>", out);
        ork_escape_html(out, where->function);
        fputs(file != NULL ? "</code>, " : "</code>", out);
    }
    if (file == NULL)
        return;
    fputs("<code title=\"", out);
    ork_escape_html(out, file);
    fputs("\">", out);
    ork_escape_html(out, ork_base_name(file));
    if (where->file == NULL)
        fprintf(out, "+0x%" PRIx64, where->offset);
    else if (where->line != 0)
        fprintf(out, ":%" PRIu32, where->line);
    fputs("</code>", out);
}

const char *ork_html_sentence(const struct ork_finding *f)
{
    if (f->summary != NULL && f->summary[0] != '\0')
        return f->summary;
    return f->message != NULL && f->message[0] != '\0' ? f->message
                                                       : "A finding without a description";
}

/* The text for a terminal begins with a small letter; names of the program stay as they are. */
void ork_html_put_sentence(FILE *out, const struct ork_finding *f)
{
    const char *s = ork_html_sentence(f);
    size_t word = strspn(s, "abcdefghijklmnopqrstuvwxyz");
    bool begins_small = word > 0 && s[word] == ' ';

    if (begins_small)
        fputc(toupper((unsigned char)s[0]), out);
    ork_escape_html(out, s + begins_small);
}
