/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/suppressions.h"

#include "common/log.h"
#include "common/output_file.h"
#include "report/escape.h"
#include "report/suppress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 1000 };

static bool fail(const char *path, const char *why)
{
    ork_error("cannot write suppressions to %s: %s", path, why != NULL ? why : strerror(errno));
    return false;
}

bool ork_suppressions_check(const char *path)
{
    const char *why;
    FILE *file;

    if (ork_output_append(path, &file, &why) != ORK_OK)
        return fail(path, why);
    return fclose(file) == 0 ? true : fail(path, NULL);
}

static bool add(FILE *file, const struct ork_finding *f)
{
    char today[ORK_SUPPRESS_DATE];

    ork_suppress_today(today);
    char *lines = ork_suppress_lines(f, today, NULL);

    if (lines == NULL) {
        errno = ENOMEM;
        return false;
    }
    fputs("# ", file);
    ork_escape_text(file, f->message, MESSAGE_MAX);
    fprintf(file, "\n%s", lines);
    free(lines);
    return ferror(file) == 0;
}

bool ork_suppressions_add(const char *path, const struct ork_report *report)
{
    const char *why;
    FILE *file;
    bool done = true;

    if (ork_output_append(path, &file, &why) != ORK_OK)
        return fail(path, why);
    for (uint32_t i = 0; i < report->num_findings && done; i++)
        done = add(file, &report->finding[i]);
    done &= fclose(file) == 0;
    return done ? true : fail(path, NULL);
}
