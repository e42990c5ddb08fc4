/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/fold_runs.h"

#include "common/text.h"
#include "report/ranks.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define STEPS_MIN 4u /* ranks that must have the same distance before it is called a step */

static uint32_t drop_doubles(uint32_t *rank, uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || rank[i] != rank[kept - 1])
            rank[kept++] = rank[i];
    return kept;
}

/* Index after the ranks from i on that have one distance. */
static uint32_t steps_end(const uint32_t *rank, uint32_t count, uint32_t i)
{
    uint32_t j = i + 1;

    while (j + 1 < count && rank[j + 1] - rank[j] == rank[i + 1] - rank[i])
        j++;
    return j < count ? j + 1 : count;
}

/* Index after the run that begins at i: neighbours, or enough ranks with a wider step. */
static uint32_t run_end(const uint32_t *rank, uint32_t count, uint32_t i)
{
    uint32_t end = steps_end(rank, count, i);
    bool neighbours = end > i + 1 && rank[i + 1] - rank[i] == 1;

    return neighbours || end - i >= STEPS_MIN ? end : i + 1;
}

enum ork_status ork_runs_make(uint32_t *rank, uint32_t count, struct ork_rank_run **run,
                              uint32_t *num_runs)
{
    uint32_t used = 0;

    *run = NULL;
    *num_runs = 0;
    if (count == 0)
        return ORK_OK;
    qsort(rank, count, sizeof(*rank), ork_rank_compare);
    count = drop_doubles(rank, count);
    struct ork_rank_run *out = malloc(count * sizeof(*out));
    if (out == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = run_end(rank, count, i);
        out[used++] = (struct ork_rank_run){.first = rank[i],
                                            .last = rank[end - 1],
                                            .step = end > i + 1 ? rank[i + 1] - rank[i] : 1};
    }
    struct ork_rank_run *small = realloc(out, used * sizeof(*out));
    *run = small != NULL ? small : out;
    *num_runs = used;
    return ORK_OK;
}

enum ork_status ork_runs_to_text(const struct ork_rank_run *run, uint32_t num_runs, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < num_runs; i++) {
        fprintf(out, "%s%" PRIu32, i > 0 ? ", " : "", run[i].first);
        if (run[i].last != run[i].first)
            fprintf(out, "-%" PRIu32, run[i].last);
        if (run[i].step > 1)
            fprintf(out, "/%" PRIu32, run[i].step);
    }
    return ork_text_take(&stream, ORK_OK, text);
}

/* Read a number at *at, and move *at past it. */
static bool read_number(const char **at, uint32_t *out)
{
    char *end;

    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    unsigned long long n = strtoull(*at, &end, 10);
    if (errno != 0 || n > UINT32_MAX)
        return false;
    *at = end;
    *out = (uint32_t)n;
    return true;
}

static bool read_run(const char **at, struct ork_rank_run *out)
{
    if (!read_number(at, &out->first))
        return false;
    out->last = out->first;
    out->step = 1;
    if (**at != '-')
        return true;
    ++*at;
    if (!read_number(at, &out->last))
        return false;
    if (**at == '/') {
        ++*at;
        if (!read_number(at, &out->step))
            return false;
    }
    return out->step > 0 && out->last >= out->first && (out->last - out->first) % out->step == 0;
}

enum ork_status ork_runs_from_text(const char *text, struct ork_rank_run **run, uint32_t *num_runs)
{
    uint32_t room = 1;
    uint32_t used = 0;

    for (const char *c = text; *c != '\0'; c++)
        room += *c == ',';
    struct ork_rank_run *out = malloc(room * sizeof(*out));
    if (out == NULL)
        return ORK_NOMEM;
    for (const char *at = text;; at++) {
        while (*at == ' ')
            at++;
        if (!read_run(&at, &out[used]) || (*at != ',' && *at != '\0')) {
            free(out);
            return ORK_INVALID;
        }
        used++;
        if (*at == '\0')
            break;
    }
    *run = out;
    *num_runs = used;
    return ORK_OK;
}

static uint64_t run_count(const struct ork_rank_run *run)
{
    return ((uint64_t)run->last - run->first) / run->step + 1;
}

uint64_t ork_runs_count(const struct ork_rank_run *run, uint32_t num_runs)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < num_runs; i++)
        count += run_count(&run[i]);
    return count;
}

bool ork_runs_contain(const struct ork_rank_run *run, uint32_t num_runs, uint32_t rank)
{
    for (uint32_t i = 0; i < num_runs; i++)
        if (rank >= run[i].first && rank <= run[i].last && (rank - run[i].first) % run[i].step == 0)
            return true;
    return false;
}

static void put_run(FILE *out, const struct ork_rank_run *run)
{
    uint64_t count = run_count(run);

    fprintf(out, "%" PRIu32, run->first);
    if (count == 1)
        return;
    if (count == 2) /* "0, 1" reads better than "0-1" */
        fprintf(out, ", %" PRIu32, run->last);
    else if (run->step == 1)
        fprintf(out, "-%" PRIu32, run->last);
    else
        fprintf(out, ",%" PRIu32 ",..,%" PRIu32, run->first + run->step, run->last);
}

void ork_runs_put(FILE *out, const struct ork_rank_run *run, uint32_t num_runs, uint32_t max)
{
    for (uint32_t i = 0; i < num_runs; i++) {
        if (i > 0)
            fputs(", ", out);
        if (i == max) {
            fprintf(out, "... (%" PRIu64 " ranks)", ork_runs_count(run, num_runs));
            return;
        }
        put_run(out, &run[i]);
    }
}
