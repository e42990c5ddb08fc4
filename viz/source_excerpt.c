/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/source_excerpt.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_MAX (16u << 20) /* of the file, up to the last line asked for */
#define WIDTH_MAX 240u        /* bytes of a line; the rest is cut */
#define LINES_MAX 200u

/* RATIONALE: a report from another person could name any file of the reader, who may pass the page
 * on. */
static bool is_source_name(const char *file)
{
    static const char *const suffix[] = {
        ".c",   ".h",   ".cc",  ".cpp", ".cxx", ".c++", ".hh",  ".hpp", ".hxx", ".cu",
        ".cuh", ".f",   ".for", ".ftn", ".fpp", ".f77", ".f90", ".f95", ".f03", ".f08",
        ".f18", ".inc", ".py",  ".pyx", ".jl",  ".rs",  ".m",   ".tcc", ".ipp", ".hip"};
    const char *dot = strrchr(file, '.');

    for (size_t i = 0; dot != NULL && i < sizeof(suffix) / sizeof(suffix[0]); i++) {
        if (strcasecmp(dot, suffix[i]) == 0)
            return true;
    }
    return false;
}

/* NULL: none. O_NONBLOCK, so that a FIFO of that name cannot block us. */
static FILE *open_source(const char *file)
{
    struct stat st;

    if (file == NULL || !is_source_name(file))
        return NULL;
    int fd = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    FILE *in = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;
    if (in == NULL)
        close(fd);
    return in;
}

/* The next line, cut; *end: there is no further line. */
static void read_line(FILE *in, char line[WIDTH_MAX + 1], size_t *bytes, bool *end)
{
    size_t n = 0;
    int c = getc(in);

    *end = c == EOF;
    for (; c != EOF && c != '\n'; c = getc(in)) {
        ++*bytes;
        if (n < WIDTH_MAX && c != '\0')
            line[n++] = (char)c;
        if (*bytes > BYTES_MAX)
            break;
    }
    ++*bytes;
    while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    line[n] = '\0';
}

static enum ork_status read_lines(FILE *in, uint32_t first, uint32_t last,
                                  struct ork_source_excerpt *out)
{
    char line[WIDTH_MAX + 1];
    size_t bytes = 0;
    bool end = false;

    for (uint32_t number = 1; number <= last && bytes <= BYTES_MAX; number++) {
        read_line(in, line, &bytes, &end);
        if (end)
            break;
        if (number < first)
            continue;
        out->line[out->num_lines] = strdup(line);
        if (out->line[out->num_lines] == NULL)
            return ORK_NOMEM;
        out->num_lines++;
    }
    return out->num_lines > 0 ? ORK_OK : ORK_NOTFOUND;
}

enum ork_status ork_source_excerpt_read(const char *file, uint32_t first, uint32_t last,
                                        struct ork_source_excerpt *out)
{
    struct ork_source_excerpt e = {.first = first > 0 ? first : 1};

    if (last < e.first)
        return ORK_NOTFOUND;
    if (last - e.first >= LINES_MAX)
        last = e.first + LINES_MAX - 1;
    FILE *in = open_source(file);
    if (in == NULL)
        return ORK_NOTFOUND;
    e.line = calloc((size_t)(last - e.first) + 1, sizeof(*e.line));
    enum ork_status status = e.line == NULL ? ORK_NOMEM : read_lines(in, e.first, last, &e);
    fclose(in);
    if (status == ORK_OK)
        *out = e;
    else
        ork_source_excerpt_release(&e);
    return status;
}

void ork_source_excerpt_release(struct ork_source_excerpt *excerpt)
{
    for (uint32_t i = 0; i < excerpt->num_lines; i++)
        free(excerpt->line[i]);
    free(excerpt->line);
    *excerpt = (struct ork_source_excerpt){0};
}
