/* SPDX-License-Identifier: BSD-3-Clause */
/* Run the detector on a recorded trace (overlay/stream/trace.h).
 *
 *     replay TRACE                  print what the detector says at the end of the run
 *     replay --check EXPECT TRACE   compare it with a file of such lines
 *     replay --strip OUT TRACE      copy the trace without folders and process ids */
#include "tests/replay/strip.h"

#include "detector/detector.h"
#include "overlay/stream/trace.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 1 << 16, RANKS_MAX = 1 << 16 };

struct text {
    char bytes[TEXT_ROOM];
    FILE *file;
};

_Noreturn static void die(const char *what, enum ork_status status)
{
    fprintf(stderr, "replay: %s: %s\n", what, ork_status_text(status));
    exit(EXIT_FAILURE);
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL)
        die(path, ORK_IO);
    return file;
}

/* ---- the trace ---- */

/* The size of the first job stands in the INIT record of each of its ranks. */
static uint32_t count_ranks(const char *path)
{
    FILE *file = open_file(path);
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;
    uint32_t ranks = 0;
    enum ork_status status = ork_trace_open(file, &reader);

    if (status != ORK_OK)
        die(path, status);
    while ((status = ork_trace_next(reader, &chunk)) == ORK_OK) {
        for (size_t i = 0; i < chunk.num_records; i++) {
            const struct ork_record *r = &chunk.record[i];
            if (r->kind == ORK_KIND_INIT && r->peer == (int32_t)chunk.rank)
                ranks = r->arg2;
        }
    }
    if (status != ORK_CLOSED)
        die(path, status);
    ork_trace_reader_destroy(reader);
    fclose(file);
    if (ranks == 0 || ranks > RANKS_MAX)
        die(path, ORK_INVALID);
    return ranks;
}

/* Ranks behind those known are of a job that comes later: it says so first. */
static enum ork_status add_job(struct ork_detector *d, uint32_t rank, const struct ork_record *r,
                               size_t n)
{
    if (n == 0 || r->kind != ORK_KIND_JOB || r->peer < 0 || (uint32_t)r->peer > rank ||
        r->arg2 > RANKS_MAX)
        return ORK_OK;
    return ork_detector_add_job(d, rank - (uint32_t)r->peer, r->arg2, (uint32_t)r->extra);
}

static enum ork_status feed_chunk(struct ork_detector *d, const struct ork_trace_chunk *chunk)
{
    if (chunk->kind == ORK_TRACE_END)
        return ork_detector_end(d, chunk->rank, (enum ork_end)chunk->how);
    enum ork_status status = add_job(d, chunk->rank, chunk->record, chunk->num_records);
    return status != ORK_OK ? status
                            : ork_detector_feed(d, chunk->rank, chunk->record, chunk->num_records);
}

static void feed_trace(const char *path, struct ork_detector *d)
{
    FILE *file = open_file(path);
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;
    enum ork_status status = ork_trace_open(file, &reader);

    while (status == ORK_OK && (status = ork_trace_next(reader, &chunk)) == ORK_OK)
        status = feed_chunk(d, &chunk);
    if (status != ORK_CLOSED)
        die(path, status);
    ork_trace_reader_destroy(reader);
    fclose(file);
}

/* ---- what the detector says ---- */

static struct ork_search *search(struct ork_detector *d, enum ork_semantics semantics)
{
    struct ork_search *s;
    enum ork_status status = ork_detector_search(d, semantics, &s);

    if (status != ORK_OK)
        die("search", status);
    return s;
}

/* How many are deadlocked and have not ended. */
static uint32_t print_ranks(FILE *out, const struct ork_detector *d, const struct ork_search *s,
                            uint32_t ranks)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < ranks; r++) {
        if (!ork_wfg_is_deadlocked(s->wfg, r) || ork_detector_rank(d, r).status == ORK_RANK_DONE)
            continue;
        fprintf(out, " %u", r);
        n++;
    }
    fputs("\n", out);
    return n;
}

static void print_roots(FILE *out, const struct ork_search *s)
{
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        const char *separator = " {";
        for (uint32_t i = 0; i < knot.count; i++) {
            if (ork_wfg_node(s->wfg, knot.node[i]).kind != ORK_WFG_PROCESS)
                continue;
            fprintf(out, "%s%u", separator, knot.node[i]);
            separator = ",";
        }
        fputs("}", out);
    }
    fputs("\n", out);
}

/* By its kind: the numbers of MPI functions change when one is added. */
static void print_call(FILE *out, const struct ork_record *call)
{
    fputs(ork_kind_name(call->kind), out);
    if (call->kind == ORK_KIND_COLL)
        fprintf(out, " %s", ork_coll_name(call->mode));
}

/* A deadlock, and the call in which each of its ranks is. */
static void print_deadlock(FILE *out, const char *name, const struct ork_detector *d,
                           const struct ork_search *s, uint32_t ranks)
{
    fprintf(out, "%s:", name);
    if (print_ranks(out, d, s, ranks) == 0)
        return;
    fprintf(out, "%s roots:", name);
    print_roots(out, s);
    for (uint32_t r = 0; r < ranks; r++) {
        struct ork_rank_view view = ork_detector_rank(d, r);
        if (!ork_wfg_is_deadlocked(s->wfg, r) || view.status == ORK_RANK_DONE)
            continue;
        fprintf(out, "%s call: %u ", name, r);
        print_call(out, &view.call);
        fputs(view.moved ? ", returned\n" : "\n", out);
    }
}

static void relax_all(struct ork_detector *d)
{
    uint32_t passed;

    do {
        struct ork_search *s = search(d, ORK_STRICT);
        enum ork_status status = ork_detector_relax(d, s, &passed);
        if (status != ORK_OK)
            die("relaxing", status);
        ork_search_destroy(s);
    } while (passed > 0);
}

static void print_issues(FILE *out, const struct ork_detector *d)
{
    static const char *const name[] = {
        [ORK_ISSUE_MISMATCH] = "collective mismatch",
        [ORK_ISSUE_RSEND] = "ready send too early",
        [ORK_ISSUE_LOST_MESSAGE] = "lost message",
        [ORK_ISSUE_TYPE_MISMATCH] = "type mismatch",
        [ORK_ISSUE_TRUNCATION] = "truncation",
        [ORK_ISSUE_COUNT_MISMATCH] = "count mismatch",
        [ORK_ISSUE_REQUEST_LEAK] = "request leak",
    };

    for (uint32_t i = 0; i < ork_detector_num_issues(d); i++) {
        const struct ork_issue *issue = ork_detector_issue(d, i);
        if (issue->kind >= sizeof(name) / sizeof(*name) || name[issue->kind] == NULL)
            continue;
        fprintf(out, "issue: %s, rank %u in ", name[issue->kind], issue->side[0].rank);
        print_call(out, &issue->side[0].call);
        fputs("\n", out);
    }
}

static void describe(const char *path, FILE *out)
{
    uint32_t ranks = count_ranks(path);
    struct ork_detector *d;
    struct ork_search *s;

    if (ork_detector_create(ranks, &d) != ORK_OK)
        die(path, ORK_NOMEM);
    feed_trace(path, d);
    struct ork_job_view last = ork_detector_job(d, ork_detector_num_jobs(d) - 1);
    ranks = last.first + last.size;
    fprintf(out, "ranks: %u\n", ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        if (ork_detector_fault(d, r) != NULL)
            fprintf(out, "fault: %u %s\n", r, ork_detector_fault(d, r));
    }
    s = search(d, ORK_STRICT);
    print_deadlock(out, "strict", d, s, ranks);
    ork_search_destroy(s);
    relax_all(d);
    s = search(d, ORK_STRICT);
    print_deadlock(out, "relaxed", d, s, ranks);
    ork_search_destroy(s);
    s = search(d, ORK_PERMISSIVE);
    fputs("lazy:", out);
    print_ranks(out, d, s, ranks);
    ork_search_destroy(s);
    print_issues(out, d);
    ork_detector_destroy(d);
}

/* ---- commands ---- */

static void describe_to_text(const char *path, struct text *text)
{
    text->file = fmemopen(text->bytes, TEXT_ROOM - 1, "w");
    if (text->file == NULL)
        die(path, ORK_NOMEM);
    describe(path, text->file);
    fclose(text->file);
}

static int check(const char *expect, const char *path)
{
    static struct text is, expected;
    FILE *file = open_file(expect);

    expected.bytes[fread(expected.bytes, 1, TEXT_ROOM - 1, file)] = '\0';
    fclose(file);
    describe_to_text(path, &is);
    if (strcmp(is.bytes, expected.bytes) == 0)
        return EXIT_SUCCESS;
    printf("expected:\n%s\nbut it is:\n%s", expected.bytes, is.bytes);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 2 && argv[1][0] != '-') {
        describe(argv[1], stdout);
        return EXIT_SUCCESS;
    }
    if (argc == 4 && strcmp(argv[1], "--check") == 0)
        return check(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "--strip") == 0) {
        FILE *file = open_file(argv[3]);
        enum ork_status status = strip_trace(file, argv[2]);
        fclose(file);
        if (status != ORK_OK)
            die(argv[2], status);
        return EXIT_SUCCESS;
    }
    fputs("usage: replay [--check EXPECT | --strip OUT] TRACE\n", stderr);
    return 64;
}
