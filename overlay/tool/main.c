/* SPDX-License-Identifier: BSD-3-Clause */
/* must-tool: a tool process. On one node mustrun starts the first, which forks the others; on
 * several, all are a job of the launcher. The first is the root: it writes one JSON object a line,
 * and reads words: "end", "exit N", "interrupt", "status", "figures", "continue", "kill", "keep",
 * "drop". It uses the socket where mustrun listens on the same node, or else stdout and stdin. The
 * end of either input means that mustrun has ended. */
#include "common/clock.h"
#include "common/control_socket.h"
#include "common/exitcode.h"
#include "common/log.h"
#include "overlay/tool/cpu_binding.h"
#include "overlay/tool/node.h"
#include "overlay/tool/order_files.h"
#include "overlay/tool/protocol_writer.h"
#include "overlay/tool/transport_module.h"
#include "overlay/tool/transport_shm.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MS INT64_C(1000000)

/* How long to sleep between two looks at rings and messages, after a time without any. */
static const struct {
    int64_t quiet_ns, sleep_ns;
} pace[] = {{1000 * MS, 40 * MS}, {100 * MS, 20 * MS}, {0, 2 * MS}};

/* The same while something comes, or would if it could. Each wake-up takes a core from a rank that
 * others wait for: with little to do, the tool wakes up less often. */
enum { BUSY_SLEEP = 1 * MS, LEISURE_SLEEP = 4 * MS, BUSY_PART = 10 /* of the time */ };

struct input {
    int fd; /* -1: none */
    char text[256];
    size_t have;
};

struct tool {
    struct ork_node *node;
    struct ork_root *root; /* NULL: this process is not the root */
    const struct ork_order_files *order;
    struct input launcher, direct;
    bool ending, lost, gone_reported, asked_last;
    enum { ORDER_OPEN, ORDER_KEPT, ORDER_DROPPED } verdict; /* of mustrun, on the recording */
    int64_t ending_ns; /* when all had come although ranks were left; 0: not yet */
    int64_t quiet_ns;  /* time without any records or messages */
    int64_t sleep_ns;  /* while something comes */
    int64_t used_ns;   /* processor time until the last sleep */
};

/* ---- input ---- */

static enum ork_status obey(struct tool *tool, const char *word)
{
    if (strcmp(word, "end") == 0)
        tool->ending = true;
    else if (strncmp(word, "exit ", 5) == 0)
        ork_root_set_launcher(tool->root, atoi(word + 5));
    else if (strcmp(word, "keep") == 0)
        tool->verdict = ORDER_KEPT;
    else if (strcmp(word, "drop") == 0)
        tool->verdict = ORDER_DROPPED;
    else if (tool->node == NULL) /* it has failed: the ranks continue unobserved */
        return ORK_OK;
    else if (strcmp(word, "interrupt") == 0)
        return ork_root_interrupt(tool->root);
    else if (strcmp(word, "status") == 0)
        ork_root_ask(tool->root);
    else if (strcmp(word, "figures") == 0)
        return ork_root_figures(tool->root);
    else if (strcmp(word, "continue") == 0)
        return ork_root_let_go_on(tool->root);
    else if (strcmp(word, "processes") == 0)
        return ork_root_tell_processes(tool->root);
    else if (strncmp(word, "living ", 7) == 0)
        return ork_root_take_living(tool->root, (uint32_t)strtoul(word + 7, NULL, 10));
    else if (strcmp(word, "kill") == 0)
        return ork_node_kill_ranks(tool->node);
    return ORK_OK;
}

static enum ork_status listen_to_mustrun(struct tool *tool, struct input *in)
{
    ssize_t n = read(in->fd, in->text + in->have, sizeof(in->text) - 1 - in->have);
    enum ork_status status = ORK_OK;

    if (n < 0)
        return ORK_OK;
    if (n == 0) {
        tool->lost = true;
        return ORK_OK;
    }
    in->have += (size_t)n;
    in->text[in->have] = '\0';
    char *line = in->text;
    for (char *end; (end = strchr(line, '\n')) != NULL && status == ORK_OK; line = end + 1) {
        *end = '\0';
        status = obey(tool, line);
    }
    in->have = strlen(line);
    memmove(in->text, line, in->have);
    if (in->have == sizeof(in->text) - 1)
        in->have = 0; /* no word is that long */
    return status;
}

/* Handle what poll() found at the two inputs. */
static enum ork_status listen_to_both(struct tool *tool, const struct pollfd fd[2])
{
    enum ork_status status = ORK_OK;

    if ((fd[0].revents & (POLLIN | POLLHUP)) != 0)
        status = listen_to_mustrun(tool, &tool->direct);
    if (status == ORK_OK && (fd[1].revents & (POLLIN | POLLHUP)) != 0)
        status = listen_to_mustrun(tool, &tool->launcher);
    return status;
}

/* ---- work ---- */

/* Sleep until a rank attaches or dies, mustrun sends a word, or `ns` have passed. */
static enum ork_status sleep_up_to(struct tool *tool, int64_t ns)
{
    nfds_t room = ork_node_fds(tool->node, NULL, 0) + 2;
    struct pollfd *fd = malloc(room * sizeof(*fd));
    struct timespec t = {.tv_nsec = ns};

    if (fd == NULL)
        return ORK_NOMEM;
    fd[0] = (struct pollfd){.fd = tool->direct.fd, .events = POLLIN};
    fd[1] = (struct pollfd){.fd = tool->launcher.fd, .events = POLLIN};
    nfds_t n = ork_node_fds(tool->node, fd + 2, room - 2);
    int ready = ppoll(fd, n + 2, &t, NULL);
    enum ork_status status = ready > 0 ? listen_to_both(tool, fd) : ORK_OK;
    free(fd);
    return status;
}

static int64_t sleep_between(struct tool *tool, bool held_up)
{
    int64_t now = (int64_t)ork_system_clock.processor_ns(NULL), work = now - tool->used_ns;

    tool->used_ns = now;
    if (held_up || work > tool->sleep_ns / BUSY_PART)
        tool->sleep_ns = BUSY_SLEEP;
    else if (tool->sleep_ns < LEISURE_SLEEP)
        tool->sleep_ns *= 2;
    return tool->sleep_ns;
}

static int64_t sleep_ns(struct tool *tool, size_t moved)
{
    int64_t awaited = tool->root != NULL ? (int64_t)ork_root_awaited_ns(tool->root) : 0;
    bool held_up = ork_node_is_held_up(tool->node);
    size_t i = 0;

    if (awaited > 0)
        return moved > 0 ? 0 : awaited;
    /* RATIONALE: a start is for the most part MPI_Init of all ranks, and an end that of the
     * launcher.
     */
    if (ork_node_is_silent(tool->node) && !tool->ending)
        return pace[0].sleep_ns;
    if (moved > 0 || held_up) {
        tool->quiet_ns = 0;
        return sleep_between(tool, held_up);
    }
    while (tool->quiet_ns < pace[i].quiet_ns)
        i++;
    tool->quiet_ns += pace[i].sleep_ns;
    return pace[i].sleep_ns;
}

/* RATIONALE: a rank that was killed may still be dying when its launcher has ended, and what it
 * left in its memory, the end of its order too, comes when it is dead. */
enum { DYING_MS = 1000 };

static bool awaits_ends(struct tool *tool)
{
    int64_t now = (int64_t)ork_system_clock.monotonic_ns(NULL);

    if (!ork_root_has_ranks(tool->root))
        return false;
    if (tool->ending_ns == 0)
        tool->ending_ns = now;
    return now - tool->ending_ns < DYING_MS * MS;
}

/* The launcher has ended, and nothing comes any more. Then each tool process says goodbye, or is
 * found to be lost. */
static enum ork_status look_for_end(struct tool *tool, size_t moved, bool *over)
{
    bool orderly;

    *over = false;
    if (tool->root == NULL) {
        *over = ork_node_is_ended(tool->node, &orderly);
        return ORK_OK;
    }
    enum ork_status status = ORK_OK;
    if (!tool->asked_last) {
        if (!tool->ending || moved > 0 || !ork_node_is_drained(tool->node) || awaits_ends(tool))
            return ORK_OK;
        tool->asked_last = true;
        status = ork_node_ask_last(tool->node);
        if (status == ORK_OK)
            status = ork_node_step(tool->node, &moved); /* at once */
    }
    *over = status == ORK_OK && moved == 0 && ork_node_has_all(tool->node);
    return status;
}

static enum ork_status run(struct tool *tool)
{
    enum ork_status status = ORK_OK;
    bool over = false;

    while (status == ORK_OK && !tool->lost) {
        size_t moved;
        status = ork_node_step(tool->node, &moved);
        if (status != ORK_OK)
            break;
        if (tool->root != NULL && ork_root_is_over(tool->root) && !tool->gone_reported) {
            tool->gone_reported = true;
            ork_protocol_write_gone();
        }
        status = look_for_end(tool, moved, &over);
        if (status != ORK_OK || over)
            break;
        status = sleep_up_to(tool, sleep_ns(tool, moved));
    }
    return status;
}

/* What the last report has asked other tool processes for. */
static enum ork_status await_calls(struct tool *tool)
{
    enum ork_status status = ORK_OK;

    while (status == ORK_OK && !tool->lost && ork_root_awaits_calls(tool->root)) {
        size_t moved;
        status = ork_node_step(tool->node, &moved);
        if (status == ORK_OK && moved == 0)
            status = sleep_up_to(tool, MS);
    }
    return status;
}

/* After the final report: mustrun knows how the run ended. RATIONALE: without its word, because it
 * has ended or does not answer, the recording remains as it is. */
enum { VERDICT_MS = 10000 };
static void settle_order(struct tool *tool)
{
    const int64_t end = (int64_t)ork_system_clock.monotonic_ns(NULL) + VERDICT_MS * MS;

    while (tool->verdict == ORDER_OPEN && !tool->lost) {
        struct pollfd fd[2] = {{.fd = tool->direct.fd, .events = POLLIN},
                               {.fd = tool->launcher.fd, .events = POLLIN}};
        int64_t left = end - (int64_t)ork_system_clock.monotonic_ns(NULL);
        if (left <= 0 || poll(fd, 2, (int)(left / MS) + 1) < 0)
            break;
        listen_to_both(tool, fd);
    }
    if (tool->verdict != ORDER_OPEN)
        ork_order_files_settle(tool->order, tool->verdict == ORDER_KEPT);
}

/* Out of memory: let the ranks continue. They notice by the hang-up. */
static void wait_for_end(struct tool *tool)
{
    while (!tool->ending && !tool->lost) {
        struct pollfd fd[2] = {{.fd = tool->direct.fd, .events = POLLIN},
                               {.fd = tool->launcher.fd, .events = POLLIN}};
        if (poll(fd, 2, -1) > 0)
            listen_to_both(tool, fd);
    }
}

static void find_mustrun(struct tool *tool, const char *session)
{
    tool->launcher.fd = STDIN_FILENO;
    tool->direct.fd = ork_control_socket_connect(session);
    if (tool->direct.fd >= 0 && !ork_protocol_use_socket(tool->direct.fd)) {
        close(tool->direct.fd);
        tool->direct.fd = -1;
    }
}

static int serve_root(struct tool *tool, const char *session)
{
    char *tree = ork_node_tree_words(tool->node);

    find_mustrun(tool, session);
    ork_protocol_write_ready(tree != NULL ? tree : "");
    free(tree);
    enum ork_status status = run(tool);
    if (status == ORK_OK && !tool->lost)
        status = ork_root_finish(tool->root);
    if (status == ORK_OK && !tool->lost)
        status = await_calls(tool);
    if (status != ORK_OK)
        ork_error("%s", ork_status_text(status));
    if (status != ORK_OK || !tool->lost)
        ork_protocol_write_final(tool->root, status != ORK_OK);
    bool has_order = !tool->lost && ork_root_has_order(tool->root);
    if (has_order && status == ORK_OK)
        settle_order(tool);
    bool orderly = ork_node_end(tool->node) && status == ORK_OK;
    if (status == ORK_OK) {
        ork_node_destroy(tool->node, orderly);
        return 0;
    }
    ork_node_destroy(tool->node, false);
    tool->node = NULL;
    wait_for_end(tool);
    if (has_order && tool->verdict != ORDER_OPEN)
        ork_order_files_settle(tool->order, tool->verdict == ORDER_KEPT);
    return ORK_EXIT_INTERNAL;
}

/* A process without its parent cannot report anything: its ranks continue unobserved. */
static int serve_below(struct tool *tool)
{
    bool orderly = false;
    enum ork_status status = run(tool);

    if (status == ORK_OK)
        ork_node_is_ended(tool->node, &orderly);
    else if (status != ORK_CLOSED)
        ork_error("%s", ork_status_text(status));
    ork_node_destroy(tool->node, orderly);
    return 0;
}

/* "strict", "buffered" or "eager=BYTES". */
static void read_collectives(const char *word, struct ork_model *model)
{
    model->dataflow = strcmp(word, "dataflow") == 0;
    model->free_synchronises = strcmp(word, "strictest") == 0;
}

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

struct arguments {
    uint32_t processes; /* of this node, which is the only one; 0: several, connected by MPI */
    uint32_t fanin;
    const char *transport, *library; /* see transport_module.h */
    const char *replay;              /* NULL: none */
    struct ork_node_options node;
};

/* No rank has made progress for this time: the user is told. */
#define STILL_NS UINT64_C(600000000000)

static const struct option known[] = {
    {"nodl", no_argument, NULL, 'N'},
    {"trace", required_argument, NULL, 't'},
    {"sends", required_argument, NULL, 's'},
    {"collectives", required_argument, NULL, 'c'},
    {"probe", required_argument, NULL, 'p'},
    {"queue-limit", required_argument, NULL, 'q'},
    {"fanin", required_argument, NULL, 'f'},
    {"processes", required_argument, NULL, 'n'},
    {"transport", required_argument, NULL, 'm'},
    {"library", required_argument, NULL, 'M'},
    {"verbose", no_argument, NULL, 'v'},
    {"hang-after", required_argument, NULL, 'h'},
    {"hang-fatal", no_argument, NULL, 'H'},
    {"record", required_argument, NULL, 'r'},
    {"order-wanted", no_argument, NULL, 'w'},
    {"program", required_argument, NULL, 'P'},
    {"replay", required_argument, NULL, 'R'},
    {"divergence-fatal", no_argument, NULL, 'D'},
    {"deterministic", no_argument, NULL, 'd'},
    {"alternatives", required_argument, NULL, 'A'},
    {"races", no_argument, NULL, 'C'},
    {"fold", no_argument, NULL, 'F'},
    {"rma", required_argument, NULL, 'W'},
    {"timestamps", required_argument, NULL, 'T'},
    {"stop-at", required_argument, NULL, 'S'},
    {"still-after", required_argument, NULL, 'l'},
    {"stop-at-deadlock", no_argument, NULL, 'L'},
    {NULL, 0, NULL, 0},
};

static bool read_options(int argc, char **argv, struct arguments *arguments)
{
    struct ork_root_options *options = &arguments->node.root;
    int c;

    *options = (struct ork_root_options){
        .deadlocks = true,
        .probing = ORK_PROBING_END,
        .still_after_ns = STILL_NS,
        .has_idle_processor = ork_cpu_binding_has_idle};
    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (c == 'N')
            options->deadlocks = false;
        else if (c == 't')
            options->trace = optarg;
        else if (c == 's' && !read_sends(optarg, &options->model))
            return false;
        else if (c == 'c')
            read_collectives(optarg, &options->model);
        else if (c == 'p' && !read_probing(optarg, &options->probing))
            return false;
        else if (c == 'f')
            arguments->fanin = (uint32_t)strtoul(optarg, NULL, 10);
        else if (c == 'm')
            arguments->transport = optarg;
        else if (c == 'M')
            arguments->library = optarg;
        else if (c == 'n')
            arguments->processes = (uint32_t)strtoul(optarg, NULL, 10);
        else if (c == 'v')
            ork_log_init("must-tool", true);
        else if (c == 'h')
            options->hang_after_ns = (uint64_t)(strtod(optarg, NULL) * 1e9);
        else if (c == 'H')
            options->hang_is_fatal = true;
        else if (c == 'q')
            options->queue_limit = strtoull(optarg, NULL, 10);
        else if (c == 'r')
            options->record = optarg;
        else if (c == 'w')
            options->order_is_wanted = true;
        else if (c == 'P')
            options->program = optarg;
        else if (c == 'R')
            arguments->replay = optarg;
        else if (c == 'D')
            options->divergence_is_fatal = true;
        else if (c == 'd')
            options->is_deterministic = true;
        else if (c == 'A')
            options->alternatives = optarg;
        else if (c == 'C')
            options->races = true;
        else if (c == 'F')
            options->fold = true;
        else if (c == 'W')
            options->rma = strcmp(optarg, "on") == 0 ? ORK_RMA_ON : ORK_RMA_OFF;
        else if (c == 'T')
            options->timestamps = optarg;
        else if (c == 'l')
            options->still_after_ns = (uint64_t)(strtod(optarg, NULL) * 1e9);
        else if (c == 'L')
            options->stops_at_deadlock = true;
        else if (c == 'S' && !ork_stop_read(optarg, &options->stop))
            return false;
        else if (c == '?')
            return false;
    }
    return optind == argc;
}

/* The node lives as long as this process serves; the files outlive it. */
static int serve(struct arguments *arguments, const struct ork_order_files *order)
{
    struct ork_node_options *options = &arguments->node;
    /* Until a rank attaches, nothing can come. */
    struct tool tool = {.order = order,
                        .launcher = {.fd = -1},
                        .direct = {.fd = -1},
                        .quiet_ns = pace[0].quiet_ns,
                        .sleep_ns = BUSY_SLEEP};

    options->root.record = order->part;
    options->root.replay = order->replay;
    if (ork_node_create(options, &ork_protocol_sink, &tool.node) != ORK_OK)
        return ORK_EXIT_UNAVAILABLE;
    tool.root = ork_node_root(tool.node);
    return tool.root != NULL ? serve_root(&tool, options->session) : serve_below(&tool);
}

/* RATIONALE: a batch system, a time limit and a terminal send these to all processes of a job or of
 * a group. What they end is the application; the tool ends with mustrun, and reports it before. */
static void outlive_signals(void)
{
    static const int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                                  SIGUSR2, SIGXCPU, SIGPIPE, SIGXFSZ};

    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
        signal(ignored[i], SIG_IGN);
}

static enum ork_status connect_processes(struct arguments *arguments)
{
    struct ork_node_options *node = &arguments->node;

    if (arguments->processes == 1)
        return ORK_OK;
    if (arguments->processes == 0)
        return ork_transport_module_create(arguments->transport, arguments->library,
                                           arguments->fanin, &node->transport);
    node->shares_sections = true;
    node->sections = ork_leaf_make_sections();
    return ork_transport_shm_create(arguments->processes, arguments->fanin, &node->transport);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {
        .fanin = 16,
        .transport = "mpi",
        .node = {.session = getenv(ORK_ENV_SESSION), .token = getenv(ORK_ENV_TOKEN)}};
    struct ork_node_options *options = &arguments.node;
    struct ork_order_files order;

    ork_log_init("must-tool", false);
    if (!read_options(argc, argv, &arguments) || arguments.fanin < 2)
        return ORK_EXIT_USAGE;
    if (options->session == NULL || options->token == NULL) {
        ork_error("this program is started by mustrun");
        return ORK_EXIT_USAGE;
    }
    outlive_signals();
    if (connect_processes(&arguments) != ORK_OK)
        return ORK_EXIT_UNAVAILABLE;
    int code =
        ork_order_files_init(&order, options->root.record, options->session, arguments.replay)
            ? serve(&arguments, &order)
            : ORK_EXIT_UNAVAILABLE;
    ork_order_files_release(&order);
    return code;
}
