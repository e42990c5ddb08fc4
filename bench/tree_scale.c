/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole tree of tool processes in one process, fed with made-up programs: what a record costs the
 * root, and all processes together; what goes over the root's links; what memory stays. CSV on
 * stdout. It fails if anything that was sent was not matched, or if there is a finding: the
 * programs are correct. Times are processor time. */
#include "common/clock.h"
#include "bench/feed.h"
#include "bench/streams.h"

#include "overlay/tool/node.h"
#include "tests/unit/overlay/tool/transport_memory.h"

#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIST_MAX = 16 };
/* Records that wait to be taken whenever the leaves look: what busy ranks write in a millisecond.
 */
enum { WINDOW_PER_RANK = 256, WINDOW_MAX = 1 << 18 };
/* Steps of all processes in which nothing at all happens, before the run counts as stuck. */
enum { STUCK_STEPS = 20000 };

struct options {
    uint32_t ranks[LIST_MAX];
    size_t num_ranks;
    uint32_t patterns; /* bit i: pattern i */
    uint64_t records, seed;
    uint32_t fanin, leaf_ranks;
    struct ork_root_options root;
};

struct tree {
    uint32_t size, layers;
    struct ork_memory_job *job;
    struct ork_node **node;
    struct streams *streams;
    uint32_t ranks;
    uint64_t window;
    bool over;
    /* What did not find room. */
    const struct step *left;
    uint32_t left_rank;
    double root_s, all_s;
    size_t memory_empty, memory_half, memory_last;
};

struct found {
    unsigned findings;
};

static uint64_t whole_waves;

/* The linker puts this in front of the detector's (--wrap): how often all ranks came at once. */
enum ork_status __real_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n);
enum ork_status __wrap_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n);

enum ork_status __wrap_ork_detector_feed_bulk(struct ork_detector *d,
                                              const struct ork_group_record *group_record,
                                              uint32_t n)
{
    enum ork_status status = __real_ork_detector_feed_bulk(d, group_record, n);

    whole_waves += status == ORK_OK;
    return status;
}

static void die(const char *what)
{
    fprintf(stderr, "tree_scale: %s\n", what);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* ---- what is found ---- */

static void on_finding(void *context, const struct ork_finding *finding, bool fatal)
{
    struct found *found = context;

    (void)fatal;
    found->findings++;
    fprintf(stderr, "tree_scale: %s\n", finding->message);
}

static void on_state(void *context, const struct ork_finding *finding)
{
    (void)context;
    (void)finding;
}

static void on_stuck(void *context)
{
    (void)context;
}

/* ---- feeding ---- */

/* Until so many records wait to be taken, or there is no room for a rank's next ones. */
static void publish(struct tree *t)
{
    uint64_t waiting = feed_backlog();

    while (!t->over && waiting < t->window) {
        if (t->left == NULL && !streams_next(t->streams, &t->left_rank, &t->left)) {
            t->over = true;
            for (uint32_t r = 0; r < t->ranks; r++)
                feed_leave(r);
            return;
        }
        if (!feed_put(t->left_rank, t->left->record, t->left->count))
            return;
        waiting += t->left->count;
        t->left = NULL;
    }
}

static size_t step_one(struct ork_node *node)
{
    size_t moved = 0;
    enum ork_status status = ork_node_step(node, &moved);

    if (status != ORK_OK)
        die(ork_status_text(status));
    return moved;
}

/* Those below come before those above. */
static size_t step_all(struct tree *t)
{
    double begin = now();
    size_t moved = 0;

    for (uint32_t i = t->size - 1; i > 0; i--)
        moved += step_one(t->node[i]);
    double root = now();
    moved += step_one(t->node[0]);
    double end = now();
    t->all_s += end - begin;
    t->root_s += end - root;
    return moved;
}

static void note_memory(struct tree *t, uint64_t records)
{
    if (t->over)
        return;
    t->memory_last = memory_in_use();
    if (streams_records(t->streams) >= records / 2 && t->memory_half == 0)
        t->memory_half = t->memory_last;
}

static void feed_all(struct tree *t, uint64_t records)
{
    const struct ork_root *root = ork_node_root(t->node[0]);
    unsigned still = 0;

    step_all(t); /* the leaves take the ranks, none of which goes before */
    while (!ork_root_is_over(root)) {
        publish(t);
        do
            still = step_all(t) > 0 ? 0 : still + 1;
        while (feed_backlog() > 0 && still < STUCK_STEPS);
        if (still >= STUCK_STEPS)
            die("nothing moves");
        note_memory(t, records);
    }
}

/* ---- one run ---- */

/* What reached the root over its links. */
static struct {
    uint32_t processes, fanin;
    uint64_t bytes, batches, waves;
} top;

static void count_top(void *context, uint32_t process, const uint8_t *bytes, size_t size)
{
    enum ork_event_kind kind;
    size_t used;

    (void)context;
    if (ork_tree_of(top.processes, top.fanin, process).parent != 0)
        return;
    top.bytes += size;
    top.batches++;
    for (size_t at = 0; at < size; at += used) {
        if (ork_wire_frame(bytes + at, size - at, &kind, &used) != ORK_OK)
            die("a batch has a frame that is none");
        top.waves += kind == ORK_EVENT_WAVE;
    }
}

/* As if only this process existed: what waits for a time must not depend on other processes. It
 * begins late enough for every time that is subtracted. */
static uint64_t own_ns(void *context)
{
    (void)context;
    return UINT64_C(1000000000) + (uint64_t)(now() * 1e9);
}

static const struct ork_clock own_clock = {.monotonic_ns = own_ns, .processor_ns = own_ns};

static struct tree create(const struct options *o, const struct program *program,
                          const struct ork_report_sink *sink)
{
    struct tree t = {.size = (program->ranks + o->leaf_ranks - 1) / o->leaf_ranks,
                     .ranks = program->ranks,
                     .window = WINDOW_PER_RANK * (uint64_t)program->ranks,
                     .memory_empty = memory_in_use()};
    char session[FEED_SESSION_MAX];
    struct ork_node_options options = {.session = session, .token = FEED_TOKEN, .root = o->root};
    options.root.clock = &own_clock;
    const struct ork_memory_options memory = {
        .processes = t.size, .fanin = o->fanin, .on_batch = count_top};

    memset(&top, 0, sizeof(top));
    top.processes = t.size;
    top.fanin = o->fanin;
    if (t.window > WINDOW_MAX)
        t.window = WINDOW_MAX;
    snprintf(session, sizeof(session), "bench-%d-%u", (int)getpid(), program->ranks);
    t.layers = ork_tree_of(t.size, o->fanin, 0).layers;
    t.node = calloc(t.size, sizeof(struct ork_node *));
    t.streams = streams_create(program, o->records);
    if (t.node == NULL || t.streams == NULL || ork_memory_job_create(&memory, &t.job) != ORK_OK)
        die("out of memory");
    for (uint32_t i = 0; i < t.size; i++) {
        if (ork_transport_memory_create(t.job, i, &options.transport) != ORK_OK ||
            ork_node_create(&options, sink, &t.node[i]) != ORK_OK)
            die("a tool process could not be made");
    }
    if (!feed_begin(session, program->ranks, o->leaf_ranks, o->root.fold))
        die("the ranks could not be made: memory, or ulimit -n");
    return t;
}

static void destroy(struct tree *t)
{
    for (uint32_t i = 0; i < t->size; i++)
        ork_node_destroy(t->node[i], true);
    ork_memory_job_destroy(t->job);
    feed_end();
    streams_destroy(t->streams);
    free(t->node);
}

static void check(const struct tree *t, const struct program *program,
                  const struct ork_report *report, const struct found *found)
{
    const struct ork_statistics *s = &report->statistics;

    if (found->findings > 0)
        die("there are findings, but the program is correct");
    if (!report->complete)
        die("the report is not complete");
    if (s->messages != streams_messages(t->streams))
        die("not every message was matched");
    if (s->records != streams_records(t->streams))
        die("records are missing");
    /* RATIONALE: not whole_waves alone: how many of the calls come in time is a matter of time. */
    if (program->pattern == PATTERN_COLLECTIVES && whole_waves + top.waves == 0)
        die("no collective call was joined");
}

static void print(const struct options *o, const struct tree *t, const struct program *program,
                  const struct ork_report *report)
{
    uint64_t records = streams_records(t->streams);
    uint32_t own = t->ranks < o->leaf_ranks ? t->ranks : o->leaf_ranks;
    double remote = (double)records * (t->ranks - own) / t->ranks;

    printf("%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64
           ",%.1f,%.1f,%.2f,%.2f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.0f,%.0f\n",
           pattern_name(program->pattern), t->ranks, o->fanin, o->leaf_ranks, t->size, t->layers,
           records, report->statistics.messages, 1e9 * t->root_s / (double)records,
           1e9 * t->all_s / (double)records, 1e-6 * (double)records / t->root_s,
           remote > 0 ? (double)top.bytes / remote : 0, top.waves, whole_waves,
           report->statistics.searches,
           ((double)t->memory_half - (double)t->memory_empty) / t->ranks,
           (double)t->memory_last - (double)t->memory_half);
    fflush(stdout);
}

static void run(const struct options *o, const struct program *program)
{
    struct found found = {0};
    struct ork_report_sink sink = {
        .context = &found, .finding = on_finding, .state = on_state, .stuck = on_stuck};
    struct ork_report report;

    whole_waves = 0;
    struct tree t = create(o, program, &sink);
    feed_all(&t, o->records);
    ork_report_init(&report);
    struct ork_root *root = ork_node_root(t.node[0]);
    if (ork_root_finish(root) != ORK_OK || ork_root_summary(root, &report) != ORK_OK)
        die("out of memory");
    check(&t, program, &report, &found);
    print(o, &t, program, &report);
    ork_report_release(&report);
    destroy(&t);
}

/* ---- options ---- */

static uint64_t number_of(const char *text, uint64_t least, uint64_t most)
{
    char *end;
    double value = strtod(text, &end); /* so that 1e8 may be said */

    if (*end != '\0' || value < (double)least || value > (double)most)
        die("a number is out of range");
    return (uint64_t)value;
}

static void read_ranks(struct options *o, char *list)
{
    o->num_ranks = 0;
    for (char *n = strtok(list, ","); n != NULL && o->num_ranks < LIST_MAX; n = strtok(NULL, ","))
        o->ranks[o->num_ranks++] = (uint32_t)number_of(n, 2, 1 << 20);
}

static void read_patterns(struct options *o, char *list)
{
    o->patterns = 0;
    for (char *name = strtok(list, ","); name != NULL; name = strtok(NULL, ",")) {
        enum pattern pattern = pattern_of_name(name);
        if (pattern == NUM_PATTERNS)
            die("no such pattern");
        o->patterns |= 1u << pattern;
    }
}

static void usage(void)
{
    fputs("usage: tree_scale [--pattern NAME,...] [--ranks N,...] [--records N] [--fanin K]\n"
          "                  [--leaf-ranks K] [--seed N] [--no-probing] [--fold]\n",
          stderr);
    exit(EXIT_FAILURE);
}

static struct options read_options(int argc, char **argv)
{
    static const struct option known[] = {{"pattern", required_argument, NULL, 'p'},
                                          {"ranks", required_argument, NULL, 'r'},
                                          {"records", required_argument, NULL, 'n'},
                                          {"fanin", required_argument, NULL, 'f'},
                                          {"leaf-ranks", required_argument, NULL, 'l'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"no-probing", no_argument, NULL, 'q'},
                                          {"fold", no_argument, NULL, 'd'},
                                          {NULL, 0, NULL, 0}};
    struct options o = {
        .ranks = {16, 64, 256, 1024, 4096, 16384},
        .num_ranks = 6,
        .patterns = (1u << NUM_PATTERNS) - 1,
        .records = 4000000,
        .seed = 1,
        .fanin = 16,
        .leaf_ranks = 16,
        /* RATIONALE: as in a long run, in which no window is awaited any more. */
        .root = {.deadlocks = true, .probing = ORK_PROBING_END, .rma = ORK_RMA_OFF}};
    int c;

    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (c == 'p')
            read_patterns(&o, optarg);
        else if (c == 'r')
            read_ranks(&o, optarg);
        else if (c == 'n')
            o.records = number_of(optarg, 1, UINT64_C(1) << 40);
        else if (c == 'f')
            o.fanin = (uint32_t)number_of(optarg, 2, 65536);
        else if (c == 'l')
            o.leaf_ranks = (uint32_t)number_of(optarg, 1, 65536);
        else if (c == 's')
            o.seed = number_of(optarg, 0, UINT64_C(1) << 52);
        else if (c == 'q')
            o.root.probing = ORK_PROBING_OFF;
        else if (c == 'd')
            o.root.fold = true;
        else if (c == '?')
            usage();
    }
    if (optind != argc)
        usage();
    return o;
}

int main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);

    printf("pattern,ranks,fanin,leaf_ranks,processes,layers,records,messages,root_ns_per_record,"
           "all_ns_per_record,root_million_records_per_s,top_bytes_per_record,top_waves,"
           "whole_waves,searches,bytes_per_rank,kept_bytes\n");
    for (unsigned p = 0; p < NUM_PATTERNS; p++) {
        for (size_t i = 0; i < o.num_ranks; i++) {
            struct program program = {
                .pattern = (enum pattern)p, .ranks = o.ranks[i], .seed = o.seed};
            if ((o.patterns >> p & 1) != 0)
                run(&o, &program);
        }
    }
    return EXIT_SUCCESS;
}
