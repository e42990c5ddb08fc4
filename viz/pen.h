/* SPDX-License-Identifier: BSD-3-Clause */
/* What all texts for a terminal have in common. */
#ifndef ORK_VIZ_PEN_H
#define ORK_VIZ_PEN_H

#include "report/report.h"

#include <stdio.h>

#define ORK_PEN_MESSAGE_MAX 1000u /* characters of a sentence */

struct ork_pen {
    FILE *out;
    bool color; /* ANSI emphasis */
};

/* Numbers of SGR: "1;31" is bold and red, "0" ends it. */
void ork_pen_style(const struct ork_pen *pen, const char *sgr);
/* "orknot: error:" */
void ork_pen_severity(const struct ork_pen *pen, enum ork_severity severity);
/* "deadlock (manifest): ranks 0 and 1 wait for each other" */
void ork_pen_finding(const struct ork_pen *pen, const struct ork_finding *finding);

#endif
