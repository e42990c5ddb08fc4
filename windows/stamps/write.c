/* SPDX-License-Identifier: BSD-3-Clause */
#include "windows/stamps/stamps.h"

#include "common/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { VERSION = 1 };

struct ork_stamps_writer {
    FILE *file;
    uint32_t ranks;
    uint32_t **known; /* by rank: its latest clock; NULL: it has no event */
    bool failed;      /* out of memory */
};

/* NULL: ORK_EXISTS, ORK_IO with errno. */
static FILE *create(const char *path, enum ork_status *status)
{
    int fd;

    *status = ork_output_create(AT_FDCWD, path, ORK_STAMPS_MAGIC, &fd);
    FILE *file = ork_output_stream(fd);
    if (file == NULL && *status == ORK_OK)
        *status = ORK_IO;
    return file;
}

enum ork_status ork_stamps_create(const char *path, uint32_t ranks, struct ork_stamps_writer **out)
{
    struct ork_stamps_writer *w = calloc(1, sizeof(*w));
    enum ork_status status = ORK_NOMEM;

    if (w == NULL)
        return ORK_NOMEM;
    w->ranks = ranks;
    w->known = calloc(ranks, sizeof(*w->known));
    w->file = w->known == NULL ? NULL : create(path, &status);
    if (w->file == NULL) {
        int saved = errno;
        free(w->known);
        free(w);
        errno = saved;
        return status;
    }
    fprintf(w->file, ORK_STAMPS_MAGIC "%d\nranks %" PRIu32 "\n", VERSION, ranks);
    *out = w;
    return ORK_OK;
}

void ork_stamps_event(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, const char *call,
                      uint32_t site, const uint32_t *clock)
{
    uint32_t **known = &w->known[rank];

    if (*known == NULL)
        *known = calloc(w->ranks, sizeof(**known));
    if (*known == NULL) {
        w->failed = true;
        return;
    }
    fprintf(w->file, "event %" PRIu32 " %" PRIu64 " %s %" PRIu32, rank, number, call, site);
    for (uint32_t r = 0; r < w->ranks; r++) {
        if (clock[r] == (*known)[r])
            continue;
        fprintf(w->file, " %" PRIu32 "=%" PRIu32, r, clock[r]);
        (*known)[r] = clock[r];
    }
    fputc('\n', w->file);
}

void ork_stamps_access(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint32_t window,
                       uint32_t target, const char *word)
{
    fprintf(w->file, "access %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %s\n", rank, number,
            window, target, word);
}

void ork_stamps_private(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint64_t seen)
{
    fprintf(w->file, "private %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", rank, number, seen);
}

void ork_stamps_complete(struct ork_stamps_writer *w, uint32_t rank, uint64_t number,
                         bool at_target, uint32_t value)
{
    fprintf(w->file, "%s %" PRIu32 " %" PRIu64 " %" PRIu32 "\n", at_target ? "target" : "origin",
            rank, number, value);
}

void ork_stamps_learn(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint32_t from,
                      uint64_t event, bool at_start)
{
    fprintf(w->file, "%s %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu64 "\n",
            at_start ? "start" : "learn", rank, number, from, event);
}

void ork_stamps_part(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint64_t wave)
{
    fprintf(w->file, "part %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", rank, number, wave);
}

void ork_stamps_learn_all(struct ork_stamps_writer *w, uint32_t rank, uint64_t number,
                          uint64_t wave)
{
    fprintf(w->file, "all %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", rank, number, wave);
}

/* RATIONALE: a line is one fact; who shows the text escapes what else is in it. */
static void put_text(FILE *file, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(*text == '\n' ? ' ' : *text, file);
    fputc('\n', file);
}

void ork_stamps_place(struct ork_stamps_writer *w, uint32_t rank, uint32_t site, const char *text)
{
    fprintf(w->file, "place %" PRIu32 " %" PRIu32 " ", rank, site);
    put_text(w->file, text);
}

void ork_stamps_lost(struct ork_stamps_writer *w, const char *text)
{
    fputs("lost ", w->file);
    put_text(w->file, text);
}

enum ork_status ork_stamps_close(struct ork_stamps_writer *w, bool is_whole)
{
    if (w == NULL)
        return ORK_OK;
    if (is_whole && !w->failed)
        fputs("end\n", w->file);
    bool is_bad = ferror(w->file) != 0 || w->failed;
    is_bad |= fclose(w->file) != 0;
    for (uint32_t r = 0; r < w->ranks; r++)
        free(w->known[r]);
    free(w->known);
    free(w);
    return is_bad ? ORK_IO : ORK_OK;
}
