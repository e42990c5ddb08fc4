/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/suppressions.h"

#include "common/log.h"
#include "report/escape.h"
#include "report/suppress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 1000 };

static bool fail(const char *path)
{
    ork_error("cannot write suppressions to %s: %s", path, strerror(errno));
    return false;
}

bool ork_suppressions_check(const char *path)
{
    FILE *file = fopen(path, "ae");

    return file != NULL && fclose(file) == 0 ? true : fail(path);
}

static bool add(FILE *file, const struct ork_finding *f)
{
    char *lines = ork_suppress_lines(f);

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
    FILE *file = fopen(path, "ae");
    bool done = true;

    if (file == NULL)
        return fail(path);
    for (uint32_t i = 0; i < report->num_findings && done; i++)
        done = add(file, &report->finding[i]);
    done &= fclose(file) == 0;
    return done ? true : fail(path);
}
