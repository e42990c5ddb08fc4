/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/input.h"

#include "common/exitcode.h"
#include "common/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of a stream. NULL: errno. */
static char *read_all(FILE *in, size_t *size)
{
    char *text = NULL;
    size_t used = 0;
    size_t room = 0;

    do {
        if (used == room) {
            room = room == 0 ? 65536 : 2 * room;
            char *grown = realloc(text, room);
            if (grown == NULL) {
                free(text);
                return NULL;
            }
            text = grown;
        }
        used += fread(text + used, 1, room - used, in);
    } while (!feof(in) && !ferror(in));
    if (ferror(in)) {
        free(text);
        return NULL;
    }
    *size = used;
    return text;
}

static char *read_file(const char *name, size_t *size)
{
    if (strcmp(name, "-") == 0)
        return read_all(stdin, size);
    FILE *in = fopen(name, "re");
    if (in == NULL)
        return NULL;
    char *text = read_all(in, size);
    int saved = errno;
    fclose(in);
    errno = saved;
    return text;
}

/* The parser quotes the file: keep its bytes off the terminal. */
static void hide_controls(char *s)
{
    for (; *s != '\0'; s++)
        if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f)
            *s = '?';
}

/* Prints an error message, and returns the exit code. */
static int explain(const char *name, enum ork_status status, char *error)
{
    if (error != NULL)
        hide_controls(error);
    ork_error("%s: %s", name, error != NULL ? error : ork_status_text(status));
    free(error);
    return status == ORK_INVALID ? ORK_EXIT_USAGE : ORK_EXIT_UNAVAILABLE;
}

static int parse(const char *name, const char *text, size_t size, struct ork_report *report)
{
    char *error = NULL;
    enum ork_status status = ork_report_from_json(text, size, report, &error);

    return status == ORK_OK ? 0 : explain(name, status, error);
}

static int parse_exploration(const char *name, const char *text, size_t size,
                             struct ork_exploration *e, bool *is_exploration)
{
    char *error = NULL;
    enum ork_status status = ork_exploration_from_json(text, size, e, &error);

    *is_exploration = status == ORK_OK;
    return status == ORK_OK || status == ORK_NOTFOUND ? 0 : explain(name, status, error);
}

static int fail_to_read(const char *name)
{
    ork_error("cannot read %s: %s", name, strerror(errno));
    return ORK_EXIT_USAGE;
}

int ork_view_refuse(const char *name, enum ork_status status, const char *error)
{
    if (status == ORK_IO)
        return fail_to_read(name);
    ork_error("%s: %s", name, status == ORK_INVALID ? error : ork_status_text(status));
    return status == ORK_NOMEM ? ORK_EXIT_UNAVAILABLE : ORK_EXIT_USAGE;
}

int ork_view_load(const char *name, struct ork_report *report)
{
    size_t size = 0;
    char *text = read_file(name, &size);

    if (text == NULL)
        return fail_to_read(name);
    int code = parse(name, text, size, report);
    free(text);
    return code;
}

int ork_view_load_any(const char *name, struct ork_report *report, struct ork_exploration *e,
                      bool *is_exploration)
{
    size_t size = 0;
    char *text = read_file(name, &size);

    if (text == NULL)
        return fail_to_read(name);
    int code = parse(name, text, size, report);
    if (code == 0) {
        code = parse_exploration(name, text, size, e, is_exploration);
        if (code != 0)
            ork_report_release(report);
    }
    free(text);
    return code;
}
