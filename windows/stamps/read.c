/* SPDX-License-Identifier: BSD-3-Clause */
/* Untrusted: any bytes give a file in memory that is consistent, or a sentence. */
#include "windows/stamps/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

static int by_wave(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (x->wave != y->wave)
        return x->wave < y->wave ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static int by_site(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

static enum ork_status refuse(char error[ORK_STAMPS_ERROR], const char *sentence)
{
    snprintf(error, ORK_STAMPS_ERROR, "%s", sentence);
    return ORK_INVALID;
}

static enum ork_status read_header(struct reader *r, const char *line, char error[ORK_STAMPS_ERROR])
{
    uint64_t version;

    r->at = line;
    if (strncmp(line, ORK_STAMPS_MAGIC, sizeof(ORK_STAMPS_MAGIC) - 1) != 0)
        return refuse(error, "it is not a file of timestamps");
    r->at += sizeof(ORK_STAMPS_MAGIC) - 1;
    if (!ork_stamps_read_number(r, UINT32_MAX, &version) || *r->at != '\0')
        return refuse(error, "it is not a file of timestamps");
    if (version == VERSION)
        return ORK_OK;
    snprintf(error, ORK_STAMPS_ERROR, "it has version %" PRIu64 ", and this program reads %d",
             version, VERSION);
    return ORK_INVALID;
}

static enum ork_status read_lines(struct reader *r, FILE *file, char error[ORK_STAMPS_ERROR])
{
    char *line = NULL;
    size_t room = 0;
    ssize_t size;
    enum ork_status status = ORK_OK;
    uint64_t number = 0;

    while (status == ORK_OK && (size = getline(&line, &room, file)) > 0) {
        bool is_whole = line[size - 1] == '\n' && strlen(line) == (size_t)size;
        if (is_whole)
            line[size - 1] = '\0';
        if (++number == 1) {
            status = read_header(r, line, error);
            continue;
        }
        if (line[size - 1] != '\0' && feof(file))
            break; /* it is cut off */
        r->at = line;
        if (!is_whole || !ork_stamps_read_line(r)) {
            snprintf(error, ORK_STAMPS_ERROR, "line %" PRIu64 " is damaged", number);
            status = ORK_INVALID;
        }
        if (r->failed)
            status = ORK_NOMEM;
    }
    free(line);
    if (status == ORK_OK && ferror(file))
        return ORK_IO;
    if (status == ORK_OK && number == 0)
        return refuse(error, "it is not a file of timestamps");
    if (status == ORK_OK && !r->s->is_complete)
        return refuse(error, "it was cut off before the end of the run");
    return status;
}

enum ork_status ork_stamps_read(const char *path, struct ork_stamps **out,
                                char error[ORK_STAMPS_ERROR])
{
    FILE *file = fopen(path, "re");
    struct reader r = {.s = file == NULL ? NULL : calloc(1, sizeof(*r.s))};

    if (r.s == NULL) {
        if (file != NULL)
            fclose(file);
        return file == NULL ? ORK_IO : ORK_NOMEM;
    }
    enum ork_status status = read_lines(&r, file, error);
    int saved = errno;
    fclose(file);
    errno = saved;
    if (status != ORK_OK) {
        ork_stamps_destroy(r.s);
        errno = saved;
        return status;
    }
    if (r.s->parts > 0)
        qsort(r.s->part, r.s->parts, sizeof(*r.s->part), by_wave);
    if (r.s->places > 0)
        qsort(r.s->place, r.s->places, sizeof(*r.s->place), by_site);
    *out = r.s;
    return ORK_OK;
}

static void release(struct events *of)
{
    for (uint32_t i = 0; i < of->count; i++)
        free(of->item[i].call);
    free(of->item);
}

void ork_stamps_destroy(struct ork_stamps *s)
{
    if (s == NULL)
        return;
    for (uint32_t r = 0; s->of != NULL && r < s->ranks; r++)
        release(&s->of[r]);
    for (uint32_t i = 0; i < s->places; i++)
        free(s->place[i].text);
    free(s->of);
    free(s->change);
    free(s->source);
    free(s->part);
    free(s->place);
    free(s->lost);
    free(s);
}
