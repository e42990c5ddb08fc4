/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/pen.h"

#include "report/enum_names.h"
#include "report/escape.h"

#define ID_MAX 160u

void ork_pen_style(const struct ork_pen *pen, const char *sgr)
{
    if (pen->color)
        fprintf(pen->out, "\033[%sm", sgr);
}

void ork_pen_severity(const struct ork_pen *pen, enum ork_severity severity)
{
    static const char *const sgr[] = {
        [ORK_ERROR] = "1;31", [ORK_WARNING] = "1;33", [ORK_NOTE] = "1;36"};

    fputs("orknot: ", pen->out);
    ork_pen_style(pen, sgr[severity]);
    fprintf(pen->out, "%s:", ork_severity_word(severity));
    ork_pen_style(pen, "0");
}

void ork_pen_finding(const struct ork_pen *pen, const struct ork_finding *finding)
{
    const char *class_ = ork_class_word(finding->class_);

    ork_escape_text(pen->out, finding->id, ID_MAX);
    if (class_ != NULL)
        fprintf(pen->out, " (%s)", class_);
    fputs(": ", pen->out);
    ork_pen_style(pen, "1");
    ork_escape_text(pen->out, finding->message, ORK_PEN_MESSAGE_MAX);
    ork_pen_style(pen, "0");
}
