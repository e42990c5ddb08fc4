/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text(const char *s)
{
    char *copy = s != NULL ? strdup(s) : NULL;

    assert_true(s == NULL || copy != NULL);
    return copy;
}

/* Room for one more item behind `count`, zeroed. Blocks have room for a power of two. */
static void *grow(void *block, uint32_t count, size_t size)
{
    if ((count & (count - 1)) == 0) {
        block = realloc(block, (count > 0 ? 2 * (size_t)count : 1) * size);
        assert_non_null(block);
    }
    memset((char *)block + count * size, 0, size);
    return block;
}

struct ork_finding sample_finding(const char *id, enum ork_class class_, enum ork_severity severity,
                                  const char *message)
{
    return (struct ork_finding){
        .id = text(id), .class_ = class_, .severity = severity, .message = text(message)};
}

void sample_add_detail(struct ork_finding *f, const char *detail)
{
    f->detail = grow(f->detail, f->num_details, sizeof(*f->detail));
    f->detail[f->num_details++] = text(detail);
}

static void add_rank(struct ork_u32s *set, uint32_t rank)
{
    set->item = grow(set->item, set->count, sizeof(*set->item));
    set->item[set->count++] = rank;
}

void sample_add_root(struct ork_finding *f, uint32_t first, uint32_t last)
{
    f->roots = grow(f->roots, f->num_roots, sizeof(*f->roots));
    for (uint32_t rank = first; rank <= last; rank++)
        add_rank(&f->roots[f->num_roots], rank);
    f->num_roots++;
}

struct ork_rank_row *sample_add_wait(struct ork_finding *f, uint32_t rank, const char *call,
                                     const char *peer, const char *tag, uint32_t waits_for)
{
    f->waits = grow(f->waits, f->num_waits, sizeof(*f->waits));
    struct ork_rank_row *wait = &f->waits[f->num_waits++];
    wait->rank = rank;
    wait->call = text(call);
    wait->comm = text("MPI_COMM_WORLD");
    wait->peer = text(peer);
    wait->tag = text(tag);
    wait->state = text("blocked");
    add_rank(&wait->waits_for, waits_for);
    add_rank(&f->ranks, rank);
    return wait;
}

void sample_set_for(struct ork_rank_row *wait, bool is_or, uint32_t count, const uint32_t *rank)
{
    wait->is_or = is_or;
    wait->waits_for.count = 0;
    for (uint32_t i = 0; i < count; i++)
        add_rank(&wait->waits_for, rank[i]);
}

void sample_set_where(struct ork_where *where, const char *function, const char *file,
                      uint32_t line)
{
    where->function = text(function);
    where->file = text(file);
    where->line = line;
}

void sample_add_node(struct ork_finding *f, uint32_t id, enum ork_node_kind kind, uint32_t rank,
                     const char *label, unsigned flags)
{
    struct ork_graph *graph = &f->graph;

    graph->node = grow(graph->node, graph->num_nodes, sizeof(*graph->node));
    graph->node[graph->num_nodes++] = (struct ork_graph_node){
        .id = id,
        .kind = kind,
        .is_or = (flags & SAMPLE_OR) != 0,
        .rank = rank,
        .label = text(label),
        .deadlocked = (flags & SAMPLE_DEAD) != 0,
        .root = (flags & SAMPLE_ROOT) != 0,
        .core = (flags & SAMPLE_CORE) != 0,
    };
}

void sample_add_arc(struct ork_finding *f, uint32_t from, uint32_t to, const char *label)
{
    struct ork_graph *graph = &f->graph;

    graph->arc = grow(graph->arc, graph->num_arcs, sizeof(*graph->arc));
    graph->arc[graph->num_arcs++] = (struct ork_graph_arc){from, to, text(label)};
}

/* One of everything that stands around a deadlock, with this text wherever there is text. */
static void surround(struct ork_finding *f, const char *call, const char *words)
{
    f->summary = text(words);
    f->near_miss = grow(NULL, 0, sizeof(*f->near_miss));
    f->num_near_misses = 1;
    f->near_miss[0] = (struct ork_near_miss){.waits = {.rank = 0, .call = text(call)},
                                             .pending = {.rank = 1, .call = text(call)},
                                             .differs = text("tag"),
                                             .message = text(words),
                                             .others = 2};
    sample_set_where(&f->near_miss[0].waits.where, "main", "a.c", 12);
    f->communicator = grow(NULL, 0, sizeof(*f->communicator));
    f->num_communicators = 1;
    f->communicator[0] =
        (struct ork_communicator){.name = text(words),
                                  .size = 2,
                                  .member = grow(NULL, 0, sizeof(struct ork_rank_run)),
                                  .num_members = 1,
                                  .origin = text(call),
                                  .parent = text("MPI_COMM_WORLD"),
                                  .rank = 1};
    f->communicator[0].member[0] = (struct ork_rank_run){.first = 0, .last = 1, .step = 1};
    f->last_calls = grow(NULL, 0, sizeof(*f->last_calls));
    f->num_last_calls = 1;
    f->last_calls[0] = (struct ork_last_calls){
        .thread = 1, .call = grow(NULL, 0, sizeof(struct ork_last_call)), .num_calls = 1};
    add_rank(&f->last_calls[0].ranks, 1);
    f->last_calls[0].call[0] = (struct ork_last_call){.call = text(call),
                                                      .comm = text("MPI_COMM_WORLD"),
                                                      .peer = text("0"),
                                                      .tag = text("MPI_ANY_TAG"),
                                                      .source = text("2"),
                                                      .source_tag = text("3"),
                                                      .root = text("4"),
                                                      .took = text(words),
                                                      .has_bytes = true,
                                                      .bytes = 40,
                                                      .requests = 2,
                                                      .times = 1204,
                                                      .error = 15,
                                                      .pending = 7,
                                                      .position = 9};
    sample_set_where(&f->last_calls[0].call[0].where, "main", "a.c", 13);
    f->arrow = grow(NULL, 0, sizeof(*f->arrow));
    f->num_arrows = 1;
    f->arrow[0] =
        (struct ork_last_arrow){.from_list = 1, .from_call = 2, .to_list = 3, .to_call = 4};
    f->remedy = grow(NULL, 0, sizeof(*f->remedy));
    f->num_remedies = 1;
    f->remedy[0] = (struct ork_remedy){.call = text(call), .message = text(words)};
    add_rank(&f->remedy[0].ranks, 0);
    add_rank(&f->remedy[0].frees, 0);
    add_rank(&f->remedy[0].frees, 1);
    f->basis = ORK_BASIS_STRICT;
    f->basis_text = text(words);
}

struct ork_finding sample_pair(void)
{
    struct ork_finding f =
        sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "ranks 0 and 1 wait for each other");

    sample_add_root(&f, 0, 1);
    struct ork_rank_row *wait = sample_add_wait(&f, 0, "MPI_Recv", "1", "7", 1);
    sample_set_where(&wait->where, "main", "a.c", 12);
    wait->stack = grow(NULL, 0, sizeof(*wait->stack));
    sample_set_where(&wait->stack[0], "main", "a.c", 12);
    wait->num_stack = 1;
    wait->caller = grow(NULL, 0, sizeof(*wait->caller));
    sample_set_where(&wait->caller[0], "start", "b.c", 7);
    wait->num_callers = 1;
    wait = sample_add_wait(&f, 1, "MPI_Recv", "0", "MPI_ANY_TAG", 0);
    wait->where.module = text("/usr/bin/app");
    wait->where.offset = 0x1234;
    sample_add_node(&f, 0, ORK_NODE_RANK, 0, "MPI_Recv", SAMPLE_ALL);
    sample_add_node(&f, 1, ORK_NODE_RANK, 1, "MPI_Recv", SAMPLE_ALL);
    sample_add_arc(&f, 0, 1, "tag 7");
    sample_add_arc(&f, 1, 0, NULL);
    surround(&f, "MPI_Send", "Ranks 0 and 1 wait for each other.");
    wait = &f.waits[0];
    wait->stack[0].inlined = true;
    return f;
}

struct ork_finding sample_fig4(void)
{
    static const uint32_t all[] = {0, 1, 2, 3};
    static const struct ork_graph_arc arc[] = {
        {0, 4, NULL}, {0, 5, NULL}, {4, 0, NULL}, {4, 1, NULL}, {4, 2, NULL}, {5, 0, NULL},
        {5, 2, NULL}, {5, 3, NULL}, {1, 2, NULL}, {2, 0, NULL}, {3, 2, NULL}};
    struct ork_finding f =
        sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "ranks 0 to 3 wait for each other");

    sample_add_root(&f, 0, 3);
    struct ork_rank_row *wait = sample_add_wait(&f, 0, "MPI_Waitall", NULL, NULL, 0);
    sample_set_for(wait, true, 4, all);
    wait->detail = text("request[1]: MPI_Irecv from MPI_ANY_SOURCE");
    sample_add_wait(&f, 1, "MPI_Recv", "2", "0", 2);
    sample_add_wait(&f, 2, "MPI_Recv", "0", "0", 0);
    sample_add_wait(&f, 3, "MPI_Recv", "2", "0", 2);
    sample_add_node(&f, 0, ORK_NODE_RANK, 0, "MPI_Waitall", SAMPLE_ALL);
    sample_add_node(&f, 1, ORK_NODE_RANK, 1, "MPI_Recv", SAMPLE_ALL);
    sample_add_node(&f, 2, ORK_NODE_RANK, 2, "MPI_Recv", SAMPLE_ALL);
    sample_add_node(&f, 3, ORK_NODE_RANK, 3, "MPI_Recv", SAMPLE_DEAD | SAMPLE_ROOT);
    sample_add_node(&f, 4, ORK_NODE_TERM, 0, "request[0]\nMPI_Irecv", SAMPLE_ALL | SAMPLE_OR);
    sample_add_node(&f, 5, ORK_NODE_TERM, 0, "request[1]\nMPI_Irecv",
                    SAMPLE_DEAD | SAMPLE_ROOT | SAMPLE_OR);
    for (size_t i = 0; i < sizeof(arc) / sizeof(arc[0]); i++)
        sample_add_arc(&f, arc[i].from, arc[i].to, NULL);
    return f;
}

struct ork_finding sample_barrier(uint32_t ranks)
{
    struct ork_finding f =
        sample_finding("deadlock", ORK_MANIFEST, ORK_ERROR, "rank 7 is in MPI_Recv");

    for (uint32_t i = 0; i < ranks; i++)
        sample_add_node(&f, i, ORK_NODE_RANK, i, i == 7 ? "MPI_Recv" : "MPI_Barrier", SAMPLE_DEAD);
    sample_add_node(&f, ranks, ORK_NODE_HUB, 0, "MPI_Barrier", SAMPLE_DEAD);
    for (uint32_t i = 0; i < ranks; i++)
        sample_add_arc(&f, i, i == 7 ? 0 : ranks, NULL);
    sample_add_arc(&f, ranks, 7, NULL);
    return f;
}

struct ork_finding sample_hostile(void)
{
    static const char evil[] =
        "\"q'&<script>alert(1)</script>\\N\\G&amp;]]>-->\x1b[2J\n\r\t\x7f\xff\xc3(\xe2\x80\xae end";
    struct ork_finding f = sample_finding(evil, ORK_SUSPECTED, ORK_WARNING, evil);

    sample_add_detail(&f, evil);
    sample_add_detail(&f, "");
    struct ork_rank_row *wait = sample_add_wait(&f, 0, evil, evil, evil, 1);
    free(wait->state);
    free(wait->comm);
    wait->state = text(evil);
    wait->comm = text(evil);
    wait->detail = text(evil);
    sample_set_where(&wait->where, evil, evil, 1);
    wait->where.module = text(evil);
    wait->stack = grow(NULL, 0, sizeof(*wait->stack));
    sample_set_where(&wait->stack[0], evil, evil, 0);
    wait->num_stack = 1;
    wait->caller = grow(NULL, 0, sizeof(*wait->caller));
    sample_set_where(&wait->caller[0], evil, evil, 7);
    wait->num_callers = 1;
    sample_add_node(&f, 0, ORK_NODE_RANK, 0, evil, SAMPLE_ALL);
    sample_add_node(&f, 1, ORK_NODE_TERM, 0, evil, 0);
    sample_add_node(&f, 2, ORK_NODE_HUB, 0, "", SAMPLE_OR);
    sample_add_arc(&f, 0, 1, evil);
    sample_add_arc(&f, 1, 2, "");
    surround(&f, evil, evil);
    return f;
}

void sample_run(struct ork_report *report)
{
    ork_report_init(report);
    report->command = grow(NULL, 0, sizeof(*report->command));
    report->command[0] = text("./app");
    report->num_command = 1;
    report->ranks = 2;
    report->seconds = 1.9;
    report->signal = 9;
    report->ended = true;
    report->statistics = (struct ork_statistics){.calls = 1204,
                                                 .records = 1210,
                                                 .messages = 40,
                                                 .collectives = 3,
                                                 .searches = 1,
                                                 .tool_ranks = 1,
                                                 .seconds_to_verdict = 0.02};
    assert_int_equal(ork_report_add_note(report, "2 calls were not analysed"), ORK_OK);
}

void sample_take(struct ork_report *report, struct ork_finding finding)
{
    assert_int_equal(ork_report_add_finding(report, &finding), ORK_OK);
}

char *sample_finding_text(const struct ork_finding *finding)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    assert_non_null(out);
    assert_int_equal(ork_viz_finding_text(finding, false, out), ORK_OK);
    assert_int_equal(fclose(out), 0);
    return buffer;
}

char *sample_dot(const struct ork_finding *finding)
{
    char *dot = NULL;

    assert_int_equal(ork_viz_dot(finding, &dot), ORK_OK);
    return dot;
}

char *sample_svg(const struct ork_finding *finding)
{
    char *svg = NULL;

    assert_int_equal(ork_viz_svg(finding, &svg), ORK_OK);
    return svg;
}

char *sample_html(const struct ork_report *report)
{
    char *html = NULL;

    assert_int_equal(ork_viz_html(report, &html), ORK_OK);
    return html;
}

char *sample_json(const struct ork_report *report)
{
    char *json = NULL;

    assert_int_equal(ork_report_to_json(report, &json), ORK_OK);
    return json;
}

char *sample_golden(const char *name)
{
    char path[1024];
    char *golden = NULL;
    size_t size = 0;

    snprintf(path, sizeof(path), "%s/%s", ORK_GOLDEN_FOLDER, name);
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    assert_true(getdelim(&golden, &size, EOF, in) > 0);
    fclose(in);
    char *mark = strstr(golden, "@VERSION@");
    if (mark == NULL)
        return golden;
    char *filled = NULL;
    assert_true(asprintf(&filled, "%.*s%s%s", (int)(mark - golden), golden, ORKNOT_VERSION,
                         mark + strlen("@VERSION@")) > 0);
    free(golden);
    return filled;
}

bool sample_contains(const char *haystack, const char *part)
{
    return strstr(haystack, part) != NULL;
}

unsigned sample_count(const char *haystack, const char *part)
{
    unsigned count = 0;

    for (const char *at = haystack; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}
