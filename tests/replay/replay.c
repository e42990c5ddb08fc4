/* SPDX-License-Identifier: BSD-3-Clause */
/* Run the detector on a recorded trace (overlay/stream/trace.h).
 *
 *     replay TRACE                  print what the detector says at the end of the run
 *     replay --check EXPECT TRACE   compare it with a file of such lines; also if the records of
 * the ranks come in other orders replay --orders N TRACE       compare what it says of N orders
 * with what it says of the recorded one replay --strip OUT TRACE      copy the trace without
 * folders and process ids */
#include "detector/issues.h"
#include "tests/replay/streams.h"
#include "tests/replay/strip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 1 << 16, ORDERS = 50 };

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

static int compare_ranks(const void *a, const void *b)
{
    const struct ork_issue_side *x = a, *y = b;

    return x->ranks[0] < y->ranks[0] ? -1 : x->ranks[0] > y->ranks[0];
}

static int compare_lines(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strcmp(*x, *y);
}

static void print_side(FILE *out, const struct ork_issue_side *side)
{
    fputs(", rank", out);
    for (uint32_t i = 0; i < side->num_ranks; i++)
        fprintf(out, " %u", side->ranks[i]);
    fputs(" in ", out);
    print_call(out, &side->call);
}

/* RATIONALE: the sides of a mismatch stand in the order of their arrival. */
static char *describe_issue(const struct ork_issue *issue, const char *name)
{
    struct ork_issue_side *side = calloc(issue->num_sides, sizeof(*side));
    char *line;
    size_t size;
    FILE *out = open_memstream(&line, &size);

    if (side == NULL || out == NULL)
        die("an issue", ORK_NOMEM);
    memcpy(side, issue->side, issue->num_sides * sizeof(*side));
    if (issue->kind == ORK_ISSUE_MISMATCH)
        qsort(side, issue->num_sides, sizeof(*side), compare_ranks);
    fprintf(out, "issue: %s", name);
    for (unsigned i = 0; i < issue->num_sides; i++)
        print_side(out, &side[i]);
    fprintf(out, "%s%s%s\n", issue->quiet ? ", quiet" : "", issue->unsure ? ", unsure" : "",
            issue->returned ? ", returned" : "");
    if (fclose(out) != 0)
        die("an issue", ORK_NOMEM);
    free(side);
    return line;
}

static void print_issues(FILE *out, const struct ork_detector *d)
{
    static const char *const name[] = {
        [ORK_ISSUE_MISMATCH] = "collective mismatch",  [ORK_ISSUE_RSEND] = "ready send too early",
        [ORK_ISSUE_LOST_MESSAGE] = "lost message",     [ORK_ISSUE_LOCK_ORDER] = "lock order",
        [ORK_ISSUE_TYPE_MISMATCH] = "type mismatch",   [ORK_ISSUE_TRUNCATION] = "truncation",
        [ORK_ISSUE_COUNT_MISMATCH] = "count mismatch", [ORK_ISSUE_REQUEST_LEAK] = "request leak",
        [ORK_ISSUE_SHIFT] = "collective shift",
    };
    char **line = calloc(ork_detector_num_issues(d) + 1, sizeof(*line));
    uint32_t n = 0;

    if (line == NULL)
        die("issues", ORK_NOMEM);
    for (uint32_t i = 0; i < ork_detector_num_issues(d); i++) {
        const struct ork_issue *issue = ork_detector_issue(d, i);
        if (!issue->withdrawn)
            line[n++] = describe_issue(issue, name[issue->kind]);
    }
    qsort(line, n, sizeof(*line), compare_lines);
    for (uint32_t i = 0; i < n; i++) {
        fputs(line[i], out);
        free(line[i]);
    }
    free(line);
}

/* `seed`: of streams_feed(). */
static void describe(const struct streams *streams, uint64_t seed, FILE *out)
{
    uint32_t ranks = streams_num_ranks(streams);
    struct ork_detector *d;
    struct ork_search *s;

    if (ranks == 0)
        die("the trace", ORK_INVALID);
    if (ork_detector_create(ranks, &d) != ORK_OK)
        die("the trace", ORK_NOMEM);
    enum ork_status status = streams_feed(streams, d, seed);
    if (status != ORK_OK)
        die("the trace", status);
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

static struct streams *read_trace(const char *path)
{
    struct streams *streams;
    enum ork_status status = streams_read(path, &streams);

    if (status != ORK_OK)
        die(path, status);
    return streams;
}

static void describe_to_text(const struct streams *streams, uint64_t seed, struct text *text)
{
    text->file = fmemopen(text->bytes, TEXT_ROOM - 1, "w");
    if (text->file == NULL)
        die("the trace", ORK_NOMEM);
    describe(streams, seed, text->file);
    fclose(text->file);
}

static int print(const char *path)
{
    struct streams *streams = read_trace(path);

    describe(streams, 0, stdout);
    streams_destroy(streams);
    return EXIT_SUCCESS;
}

/* Of each of these orders. */
static int check_orders(const struct streams *streams, const struct text *expected, uint64_t first,
                        uint64_t last)
{
    static struct text is;

    for (uint64_t seed = first; seed <= last; seed++) {
        describe_to_text(streams, seed, &is);
        if (strcmp(is.bytes, expected->bytes) != 0) {
            printf("order %" PRIu64 ": expected:\n%s\nbut it is:\n%s", seed, expected->bytes,
                   is.bytes);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

static int check(const char *expect, const char *path)
{
    static struct text expected;
    struct streams *streams = read_trace(path);
    FILE *file = open_file(expect);

    expected.bytes[fread(expected.bytes, 1, TEXT_ROOM - 1, file)] = '\0';
    fclose(file);
    int code = check_orders(streams, &expected, 0, ORDERS);
    streams_destroy(streams);
    return code;
}

static int compare_orders(const char *count, const char *path)
{
    static struct text expected;
    struct streams *streams = read_trace(path);

    describe_to_text(streams, 0, &expected);
    int code = check_orders(streams, &expected, 1, strtoull(count, NULL, 10));
    streams_destroy(streams);
    return code;
}

int main(int argc, char **argv)
{
    if (argc == 2 && argv[1][0] != '-')
        return print(argv[1]);
    if (argc == 4 && strcmp(argv[1], "--check") == 0)
        return check(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "--orders") == 0)
        return compare_orders(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "--strip") == 0) {
        FILE *file = open_file(argv[3]);
        enum ork_status status = strip_trace(file, argv[2]);
        fclose(file);
        if (status != ORK_OK)
            die(argv[2], status);
        return EXIT_SUCCESS;
    }
    fputs("usage: replay [--check EXPECT | --orders N | --strip OUT] TRACE\n", stderr);
    return 64;
}
