/* SPDX-License-Identifier: BSD-3-Clause */
/* The meaning of the findings of a page, once for each kind. */
#include "viz/html.h"

#include "report/enum_names.h"
#include "report/escape.h"
#include "report/finding_kind.h"

#include <ctype.h>
#include <string.h>

static void put_anchor(FILE *out, const struct ork_finding_kind *kind)
{
    const char *class_ = ork_class_word(kind->class_);

    fprintf(out, "about-%s%s%s", kind->id, class_ != NULL ? "-" : "", class_ != NULL ? class_ : "");
}

void ork_html_put_kind(FILE *out, const struct ork_finding *f)
{
    const char *word = f->class_ == ORK_POTENTIAL   ? "Potential "
                       : f->class_ == ORK_SUSPECTED ? "Suspected "
                                                    : "";
    bool is_rma = strncmp(f->id, "rma-", strlen("rma-")) == 0;
    char id[64];

    snprintf(id, sizeof(id), "%s%s", is_rma ? "RMA" : "", f->id + (is_rma ? strlen("rma") : 0));
    for (char *c = id; *c != '\0'; c++)
        *c = *c == '-' ? ' ' : *c;
    if (word[0] == '\0')
        id[0] = (char)toupper((unsigned char)id[0]);
    fputs(word, out);
    ork_escape_html(out, id);
    if (f->class_ == ORK_INTERLEAVING)
        fputs(" with other matches", out);
}

void ork_html_put_about_link(FILE *out, const struct ork_finding *f)
{
    const struct ork_finding_kind *kind = ork_finding_kind(f->id, f->class_);

    if (kind == NULL) {
        ork_html_put(out, "span", "tag", f->id);
        return;
    }
    fputs("<a class=\"tag\" title=\"What this means\" href=\"#", out);
    put_anchor(out, kind);
    fprintf(out, "\">%s</a>", kind->id);
}

static bool has_kind(const struct ork_report *report, const struct ork_finding_kind *kind)
{
    for (uint32_t i = 0; i < report->num_findings; i++) {
        const struct ork_finding *f = &report->finding[i];
        if (f->class_ == kind->class_ && strcmp(f->id, kind->id) == 0)
            return true;
    }
    return false;
}

static void put_kind(FILE *out, const struct ork_finding_kind *kind)
{
    const char *class_ = ork_class_word(kind->class_);

    fputs("<dt id=\"", out);
    put_anchor(out, kind);
    fprintf(out, "\">%s", kind->id);
    if (class_ != NULL)
        fprintf(out, " (%s)", class_);
    fprintf(out, "</dt>\n<dd>%s <strong>What to do:</strong> ", kind->meaning);
    fprintf(out, "%s</dd>\n", kind->advice);
}

void ork_html_put_about(FILE *out, const struct ork_report *report)
{
    size_t count;
    const struct ork_finding_kind *kind = ork_finding_kinds(&count);

    if (report->num_findings == 0)
        return;
    fputs("<section class=\"about\">\n<h2>What these findings mean</h2>\n<dl>\n", out);
    for (size_t i = 0; i < count; i++)
        if (has_kind(report, &kind[i]))
            put_kind(out, &kind[i]);
    fputs(
        "</dl>\n<p class=\"soft\">The reference of all findings: <code>findings.html</code> in the "
        "folder <code>share/doc/orknot/reference</code> of the installation.</p>\n</section>\n",
        out);
}
