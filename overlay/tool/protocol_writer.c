/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/protocol_writer.h"

#include "common/log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *out; /* NULL: stdout */

bool ork_protocol_use_socket(int fd)
{
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    out = own < 0 ? NULL : fdopen(own, "w");
    if (out == NULL && own >= 0)
        close(own);
    return out != NULL;
}

static void send(const struct ork_message *message)
{
    FILE *to = out != NULL ? out : stdout;
    char *line;

    if (ork_message_write(message, &line) != ORK_OK) {
        ork_error("a message to mustrun could not be written: out of memory");
        return;
    }
    fputs(line, to);
    fflush(to);
    free(line);
}

static void send_finding(enum ork_message_type type, const struct ork_finding *finding, bool fatal)
{
    send(&(struct ork_message){.type = type, .finding = *finding, .fatal = fatal});
}

static void on_finding(void *context, const struct ork_finding *finding, bool fatal)
{
    (void)context;
    send_finding(ORK_MESSAGE_FINDING, finding, fatal);
}

static void on_stacks(void *context, const struct ork_finding *finding, bool fatal)
{
    (void)context;
    send_finding(ORK_MESSAGE_STACKS, finding, fatal);
}

static void on_changed(void *context, const struct ork_finding *finding, const char *earlier)
{
    char *copy = strdup(earlier);

    (void)context;
    if (copy != NULL)
        send(&(struct ork_message){
            .type = ORK_MESSAGE_CHANGED, .finding = *finding, .earlier = copy});
    free(copy);
}

static void on_superseded(void *context, const struct ork_finding *finding)
{
    (void)context;
    send_finding(ORK_MESSAGE_SUPERSEDED, finding, false);
}

static void on_state(void *context, const struct ork_finding *finding)
{
    (void)context;
    send_finding(ORK_MESSAGE_STATE, finding, false);
}

static void on_stuck(void *context)
{
    (void)context;
    send(&(struct ork_message){.type = ORK_MESSAGE_STUCK});
}

static void on_answer(void *context, const struct ork_answer *answer)
{
    static struct ork_rank_progress none; /* even an empty list marks an answer */

    (void)context;
    send(&(struct ork_message){.type = ORK_MESSAGE_STATE,
                               .finding = answer->finding,
                               .progress = answer->progress != NULL ? answer->progress : &none,
                               .num_progress = answer->num_progress});
}

static void on_figures(void *context, const struct ork_run_figures *figures,
                       const struct ork_finding *rates)
{
    (void)context;
    send(
        &(struct ork_message){.type = ORK_MESSAGE_FIGURES, .figures = *figures, .finding = *rates});
}

static void on_paused(void *context, const struct ork_paused *held)
{
    (void)context;
    send(&(struct ork_message){.type = ORK_MESSAGE_PAUSED, .held = *held});
}

static void on_still(void *context, double seconds)
{
    (void)context;
    send(&(struct ork_message){.type = ORK_MESSAGE_STILL, .still = seconds});
}

const struct ork_report_sink ork_protocol_sink = {.finding = on_finding,
                                                  .stacks = on_stacks,
                                                  .changed = on_changed,
                                                  .superseded = on_superseded,
                                                  .state = on_state,
                                                  .stuck = on_stuck,
                                                  .answer = on_answer,
                                                  .held = on_paused,
                                                  .still = on_still,
                                                  .figures = on_figures};

void ork_protocol_write_ready(const char *tree)
{
    struct ork_message message = {.type = ORK_MESSAGE_READY, .pid = (uint32_t)getpid()};

    gethostname(message.host, sizeof(message.host) - 1);
    snprintf(message.tree, sizeof(message.tree), "%s", tree);
    send(&message);
}

void ork_protocol_write_gone(void)
{
    send(&(struct ork_message){.type = ORK_MESSAGE_GONE});
}

void ork_protocol_write_final(struct ork_root *root, bool failed)
{
    static char no_memory[] = "the tool ran out of memory: later calls were not analysed";
    struct ork_message message = {.type = ORK_MESSAGE_FINAL};
    struct ork_report *final = &message.final;

    ork_report_init(final);
    message.has_order = ork_root_has_order(root);
    message.has_lost = ork_root_has_lost(root);
    message.unseen = ork_root_unseen_reason(root);
    if (ork_root_summary(root, final) != ORK_OK || failed)
        final->complete = false;
    if (failed && ork_report_add_note(final, no_memory) != ORK_OK)
        ork_error("%s", no_memory);
    send(&message);
    free(message.unseen);
    ork_report_release(final);
}
