/* SPDX-License-Identifier: BSD-3-Clause */
/* must-tool: a tool rank. It is started by mustrun in a job of its own, speaks one JSON object a
 * line on its stdout, and takes words on its stdin: "end", "interrupt", "status", "kill". The end
 * of stdin means that mustrun is gone. */
#include "common/exitcode.h"
#include "common/log.h"
#include "overlay/leaf.h"
#include "overlay/root.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Sleep between two looks at the rings while nothing comes: grows from the first to the second. */
enum { SLEEP_FIRST_NS = 1000000, SLEEP_LAST_NS = 2000000 };

struct tool {
    struct ork_leaf *leaf;
    struct ork_root *root;
    char input[256];
    size_t have;
    bool ending, lost, gone_told;
};

/* ---- output ---- */

/* `line` is taken over. */
static void say(json_t *line)
{
    char *text = line == NULL ? NULL : json_dumps(line, JSON_COMPACT);

    if (text != NULL) {
        puts(text);
        fflush(stdout);
    }
    free(text);
    json_decref(line);
}

static void say_finding(const char *type, const struct ork_finding *finding, bool fatal)
{
    char *text;

    if (ork_finding_to_json(finding, &text) != ORK_OK) {
        ork_error("a finding could not be written: out of memory");
        return;
    }
    json_t *object = json_loads(text, 0, NULL);
    free(text);
    say(json_pack("{s:s, s:b, s:o?}", "type", type, "fatal", (int)fatal, "finding", object));
}

static void on_finding(void *context, const struct ork_finding *finding, bool fatal)
{
    (void)context;
    say_finding("finding", finding, fatal);
}

static void on_state(void *context, const struct ork_finding *finding)
{
    (void)context;
    say_finding("state", finding, false);
}

static void on_stuck(void *context)
{
    (void)context;
    say(json_pack("{s:s}", "type", "stuck"));
}

static void say_final(struct tool *tool, bool failed)
{
    struct ork_report report;
    json_t *notes = json_array();
    char stranger[96];

    json_t *jobs = json_array();

    ork_report_init(&report);
    if (ork_root_summary(tool->root, &report) != ORK_OK || failed)
        report.complete = false;
    for (uint32_t i = 0; i < report.num_notes; i++)
        json_array_append_new(notes, json_string(report.note[i]));
    if (ork_leaf_num_strangers(tool->leaf) > 0) {
        snprintf(stranger, sizeof(stranger),
                 "%u processes with no place in the run were not observed",
                 ork_leaf_num_strangers(tool->leaf));
        json_array_append_new(notes, json_string(stranger));
    }
    if (failed)
        json_array_append_new(
            notes, json_string("the tool ran out of memory: nothing after that was analysed"));
    const struct ork_statistics *s = &report.statistics;
    json_t *statistics =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:f}", "calls", (json_int_t)s->calls,
                  "records", (json_int_t)s->records, "messages", (json_int_t)s->messages,
                  "collectives", (json_int_t)s->collectives, "searches", (json_int_t)s->searches,
                  "full_waits", (json_int_t)s->full_waits, "tool_ranks", (int)s->tool_ranks,
                  "seconds_to_verdict", s->seconds_to_verdict);
    for (uint32_t i = 0; i < report.num_jobs; i++)
        json_array_append_new(jobs, json_pack("{s:i, s:i, s:s}", "first", (int)report.job[i].first,
                                              "ranks", (int)report.job[i].ranks, "origin",
                                              report.job[i].origin));
    say(json_pack("{s:s, s:o, s:o, s:o, s:b, s:i}", "type", "final", "statistics", statistics,
                  "notes", notes, "jobs", jobs, "complete", (int)report.complete, "ranks",
                  (int)report.ranks));
    ork_report_release(&report);
}

/* ---- input ---- */

static void kill_ranks(struct tool *tool)
{
    struct ork_down down = ork_leaf_down(tool->leaf);

    down.kill_all(down.context);
}

static enum ork_status obey(struct tool *tool, const char *word)
{
    if (strcmp(word, "end") == 0)
        tool->ending = true;
    else if (tool->leaf == NULL) /* it has failed: the ranks are on their own */
        return ORK_OK;
    else if (strcmp(word, "interrupt") == 0)
        return ork_root_interrupt(tool->root);
    else if (strcmp(word, "status") == 0)
        return ork_root_status(tool->root);
    else if (strcmp(word, "kill") == 0)
        kill_ranks(tool);
    return ORK_OK;
}

static enum ork_status listen_to_mustrun(struct tool *tool)
{
    ssize_t n = read(STDIN_FILENO, tool->input + tool->have, sizeof(tool->input) - 1 - tool->have);
    enum ork_status status = ORK_OK;

    if (n < 0)
        return ORK_OK;
    if (n == 0) {
        tool->lost = true;
        return ORK_OK;
    }
    tool->have += (size_t)n;
    tool->input[tool->have] = '\0';
    char *line = tool->input;
    for (char *end; (end = strchr(line, '\n')) != NULL && status == ORK_OK; line = end + 1) {
        *end = '\0';
        status = obey(tool, line);
    }
    tool->have = strlen(line);
    memmove(tool->input, line, tool->have);
    if (tool->have == sizeof(tool->input) - 1)
        tool->have = 0; /* no word is that long */
    return status;
}

/* ---- work ---- */

/* Sleep until a rank comes or dies, mustrun speaks, or `ns` have passed. */
static enum ork_status doze(struct tool *tool, long ns)
{
    nfds_t n;
    const struct pollfd *ranks = ork_leaf_fds(tool->leaf, &n);
    struct pollfd *fd = malloc((n + 1) * sizeof(*fd));
    struct timespec t = {.tv_nsec = ns};

    if (fd == NULL)
        return ORK_NOMEM;
    memcpy(fd, ranks, n * sizeof(*fd));
    fd[n] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    int ready = ppoll(fd, n + 1, &t, NULL);
    bool spoken = ready > 0 && (fd[n].revents & (POLLIN | POLLHUP)) != 0;
    free(fd);
    return spoken ? listen_to_mustrun(tool) : ORK_OK;
}

static enum ork_status run(struct tool *tool)
{
    long sleep_ns = SLEEP_FIRST_NS;

    while (!tool->lost) {
        size_t moved;
        enum ork_status status = ork_leaf_step(tool->leaf, &moved);
        if (status == ORK_OK)
            status = ork_root_step(tool->root, moved > 0);
        if (status != ORK_OK)
            return status;
        bool all_gone = ork_leaf_num_attached(tool->leaf) == 0;
        if (all_gone && ork_leaf_num_seen(tool->leaf) > 0 && !tool->gone_told) {
            tool->gone_told = true;
            say(json_pack("{s:s}", "type", "gone"));
        }
        if (tool->ending && moved == 0)
            return ORK_OK;
        sleep_ns = moved > 0                      ? SLEEP_FIRST_NS
                   : sleep_ns * 2 < SLEEP_LAST_NS ? sleep_ns * 2
                                                  : SLEEP_LAST_NS;
        status = doze(tool, sleep_ns);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

/* Out of memory: let the ranks run on. They notice by the hang-up. */
static void wait_for_end(struct tool *tool)
{
    while (!tool->ending && !tool->lost) {
        struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
        poll(&fd, 1, -1);
        listen_to_mustrun(tool);
    }
}

static int serve(struct tool *tool)
{
    char host[256] = "";

    gethostname(host, sizeof(host) - 1);
    say(json_pack("{s:s, s:s, s:i}", "type", "ready", "host", host, "pid", (int)getpid()));
    enum ork_status status = run(tool);
    if (status == ORK_OK && !tool->lost)
        status = ork_root_finish(tool->root);
    if (status != ORK_OK) {
        ork_error("%s", ork_status_text(status));
        say_final(tool, true);
        ork_leaf_destroy(tool->leaf);
        tool->leaf = NULL;
        wait_for_end(tool);
        return ORK_EXIT_INTERNAL;
    }
    if (!tool->lost)
        say_final(tool, false);
    return 0;
}

/* "strict", "buffered" or "eager=BYTES". */
static bool read_sends(const char *word, struct ork_model *model)
{
    char *end;

    model->buffered = strcmp(word, "strict") != 0;
    model->eager_bytes = UINT64_MAX;
    if (strncmp(word, "eager=", 6) != 0)
        return !model->buffered || strcmp(word, "buffered") == 0;
    model->eager_bytes = strtoull(word + 6, &end, 10);
    return *end == '\0';
}

static bool read_probing(const char *word, enum ork_probing *probing)
{
    static const char *const words[] = {
        [ORK_PROBING_OFF] = "off",           [ORK_PROBING_HANG] = "hang",
        [ORK_PROBING_END] = "end",           [ORK_PROBING_CONTINUOUS] = "continuous",
        [ORK_PROBING_THOROUGH] = "thorough",
    };

    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(word, words[i]) == 0) {
            *probing = (enum ork_probing)i;
            return true;
        }
    }
    return false;
}

static bool read_options(int argc, char **argv, struct ork_root_options *options)
{
    static const struct option known[] = {
        {"nodl", no_argument, NULL, 'n'},
        {"trace", required_argument, NULL, 't'},
        {"sends", required_argument, NULL, 's'},
        {"collectives", required_argument, NULL, 'c'},
        {"probe", required_argument, NULL, 'p'},
        {"queue-limit", required_argument, NULL, 'q'},
        {"fanin", required_argument, NULL, 'f'}, /* one tool rank has no children */
        {NULL, 0, NULL, 0},
    };
    int c;

    *options = (struct ork_root_options){.deadlocks = true, .probing = ORK_PROBING_END};
    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (c == 'n')
            options->deadlocks = false;
        else if (c == 't')
            options->trace = optarg;
        else if (c == 's' && !read_sends(optarg, &options->model))
            return false;
        else if (c == 'c')
            options->model.dataflow = strcmp(optarg, "dataflow") == 0;
        else if (c == 'p' && !read_probing(optarg, &options->probing))
            return false;
        else if (c == 'q')
            options->queue_limit = strtoull(optarg, NULL, 10);
        else if (c == '?')
            return false;
    }
    return optind == argc;
}

int main(int argc, char **argv)
{
    const char *session = getenv(ORK_ENV_SESSION);
    const char *token = getenv(ORK_ENV_TOKEN);
    const struct ork_report_sink sink = {
        .finding = on_finding, .state = on_state, .stuck = on_stuck};
    struct ork_root_options options;
    struct tool tool = {0};

    ork_log_init("must-tool", false);
    if (!read_options(argc, argv, &options))
        return ORK_EXIT_USAGE;
    if (session == NULL || token == NULL) {
        ork_error("this program is started by mustrun");
        return ORK_EXIT_USAGE;
    }
    signal(SIGPIPE, SIG_IGN);
    if (ork_root_create(&options, &sink, &tool.root) != ORK_OK)
        return ORK_EXIT_UNAVAILABLE;
    struct ork_up up = ork_root_up(tool.root);
    if (ork_leaf_create(session, token, &up, &tool.leaf) != ORK_OK) {
        ork_root_destroy(tool.root);
        return ORK_EXIT_UNAVAILABLE;
    }
    struct ork_down down = ork_leaf_down(tool.leaf);
    ork_root_set_down(tool.root, &down);
    int code = serve(&tool);
    ork_leaf_destroy(tool.leaf);
    ork_root_destroy(tool.root);
    return code;
}
