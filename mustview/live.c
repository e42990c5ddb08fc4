/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/live.h"

#include "common/exitcode.h"
#include "common/live_address.h"
#include "common/log.h"
#include "common/vec.h"
#include "report/escape.h"
#include "report/report.h"
#include "viz/viz.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SESSION_MAX = 64, PROGRAM_SHOWN = 200 };
/* Seconds for an answer: mustrun itself gives up sooner. */
enum { PATIENCE = 20 };

/* ---- one request ---- */

/* RATIONALE: any user may listen under that name. */
static bool is_ours(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

static int call_up(const char *session)
{
    const struct timeval limit = {.tv_sec = PATIENCE};
    struct sockaddr_un address;
    socklen_t size;

    if (ork_live_address(session, &address, &size) != ORK_OK)
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    if (connect(fd, (struct sockaddr *)&address, size) == 0 && is_ours(fd))
        return fd;
    close(fd);
    return -1;
}

static char *read_answer(int fd, size_t *size)
{
    char piece[65536];
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    ssize_t n = -1;

    while (out != NULL && (n = recv(fd, piece, sizeof(piece), 0)) > 0)
        fwrite(piece, 1, (size_t)n, out);
    if (out != NULL && fclose(out) == 0 && n == 0 && *size > 0)
        return text;
    free(text);
    return NULL;
}

/* NULL: no answer. */
static char *ask(const char *session, const char *question, size_t *size)
{
    int fd = call_up(session);
    char *answer = NULL;

    if (fd < 0)
        return NULL;
    if (send(fd, question, strlen(question), MSG_NOSIGNAL) == (ssize_t)strlen(question))
        answer = read_answer(fd, size);
    close(fd);
    return answer;
}

/* ---- existing runs ---- */

struct sessions {
    char (*name)[SESSION_MAX];
    size_t count;
};

static bool is_known(const struct sessions *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->name[i], name) == 0)
            return true;
    }
    return false;
}

static bool is_session(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    return n > 0 && n < SESSION_MAX && name[n] == '\0';
}

/* An address as in /proc/net/unix. false: out of memory. */
static bool add_session(struct sessions *s, const char *name)
{
    if (!is_session(name) || is_known(s, name))
        return true;
    if (!ork_vec_extend(&s->name, s->count, s->count + 1, sizeof(*s->name)))
        return false;
    snprintf(s->name[s->count++], SESSION_MAX, "%s", name);
    return true;
}

static bool find_sessions(struct sessions *s)
{
    FILE *in = fopen("/proc/net/unix", "re");
    char prefix[64];
    char *line = NULL;
    size_t room = 0;
    bool done = in != NULL;

    *s = (struct sessions){.count = 0};
    snprintf(prefix, sizeof(prefix), "@" ORK_LIVE_FORMAT, (unsigned)geteuid(), "");
    while (done && getline(&line, &room, in) > 0) {
        char *name = strrchr(line, ' ');
        line[strcspn(line, "\n")] = '\0';
        if (name != NULL && strncmp(name + 1, prefix, strlen(prefix)) == 0)
            done = add_session(s, name + 1 + strlen(prefix));
    }
    if (in != NULL)
        fclose(in);
    free(line);
    return done;
}

/* ---- the list ---- */

static void put_run(FILE *out, const json_t *run)
{
    const json_t *command = json_object_get(run, "command");
    size_t i;
    json_t *word;

    fprintf(out, "%s: mustrun %lld, %.0f s,", json_string_value(json_object_get(run, "session")),
            (long long)json_integer_value(json_object_get(run, "pid")),
            json_number_value(json_object_get(run, "seconds")));
    json_array_foreach(command, i, word)
    {
        fputc(' ', out);
        ork_escape_text(out, json_string_value(word), PROGRAM_SHOWN);
    }
    fputc('\n', out);
}

/* Runs that answer. NULL: out of memory. */
static json_t *ask_all(const struct sessions *s)
{
    json_t *list = json_array();

    for (size_t i = 0; i < s->count && list != NULL; i++) {
        size_t size = 0;
        char *answer = ask(s->name[i], "name\n", &size);
        json_t *run = answer != NULL ? json_loadb(answer, size, 0, NULL) : NULL;
        if (json_is_string(json_object_get(run, "session")))
            json_array_append(list, run);
        json_decref(run);
        free(answer);
    }
    return list;
}

static int put_list(const json_t *list, bool is_json, struct ork_view_data *data)
{
    FILE *out = open_memstream(&data->bytes, &data->size);
    size_t i;
    json_t *run;

    if (out == NULL)
        return ORK_EXIT_UNAVAILABLE;
    if (is_json && json_dumpf(list, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0)
        fputc('\n', out);
    if (!is_json && json_array_size(list) == 0)
        fputs("this user has no run on this host\n", out);
    if (!is_json)
        json_array_foreach(list, i, run) put_run(out, run);
    return fclose(out) == 0 ? 0 : ORK_EXIT_UNAVAILABLE;
}

static int list_all(bool is_json, struct ork_view_data *data)
{
    struct sessions sessions;
    json_t *list = find_sessions(&sessions) ? ask_all(&sessions) : NULL;
    int code = list != NULL ? put_list(list, is_json, data) : ORK_EXIT_UNAVAILABLE;

    if (code != 0)
        ork_error("cannot list the runs: %s", strerror(errno));
    json_decref(list);
    free(sessions.name);
    return code;
}

/* ---- one run ---- */

/* The session of a word: the word itself, or the session of the mustrun with this number. */
static bool resolve(const char *word, char session[SESSION_MAX])
{
    struct sessions sessions;
    size_t size = strlen(word);
    bool found = false;

    if (!find_sessions(&sessions))
        return false;
    for (size_t i = 0; i < sessions.count && !found; i++) {
        const char *name = sessions.name[i];
        found = strcmp(name, word) == 0 || (strncmp(name, word, size) == 0 && name[size] == '-' &&
                                            strspn(word, "0123456789") == size);
        if (found)
            memcpy(session, name, SESSION_MAX);
    }
    free(sessions.name);
    return found;
}

static int ask_one(const char *word, bool is_json, struct ork_view_data *data)
{
    char session[SESSION_MAX];

    if (!resolve(word, session)) {
        ork_error("this user has no run %s on this host (--live without a session lists the runs)",
                  word);
        return ORK_EXIT_UNAVAILABLE;
    }
    data->bytes = ask(session, is_json ? "json\n" : "text\n", &data->size);
    if (data->bytes != NULL)
        return 0;
    ork_error("the run %s has ended or did not answer", session);
    return ORK_EXIT_UNAVAILABLE;
}

/* An indented text that ends in a newline. */
static int format_json(struct ork_view_data *data)
{
    json_t *value = json_loadb(data->bytes, data->size, 0, NULL);
    struct ork_view_data better = {.size = 0};
    FILE *out = value != NULL ? open_memstream(&better.bytes, &better.size) : NULL;
    bool done = out != NULL && json_dumpf(value, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;

    json_decref(value);
    if (out != NULL)
        fputc('\n', out);
    if (out == NULL || fclose(out) != 0 || !done) {
        free(better.bytes);
        ork_error("invalid reply");
        return ORK_EXIT_UNAVAILABLE;
    }
    free(data->bytes);
    *data = better;
    return 0;
}

/* ---- its last calls ---- */

/* ORK_NOTFOUND: there is nothing to draw. */
static enum ork_status draw(const json_t *answer, char **text)
{
    char *status_text = json_dumps(json_object_get(answer, "status"), JSON_COMPACT);
    struct ork_finding finding;
    char *error = NULL;

    if (status_text == NULL)
        return ORK_INVALID;
    enum ork_status status =
        ork_finding_from_json(status_text, strlen(status_text), &finding, &error);
    if (status == ORK_OK) {
        status = ork_viz_lanes_svg(&finding, text);
        ork_finding_release(&finding);
    }
    free(error);
    free(status_text);
    return status;
}

static int draw_lanes(struct ork_view_data *data)
{
    json_t *answer = json_loadb(data->bytes, data->size, 0, NULL);
    const char *refusal = json_string_value(json_object_get(answer, "error"));
    char *text = NULL;
    enum ork_status status = refusal == NULL ? draw(answer, &text) : ORK_CLOSED;

    if (refusal != NULL)
        ork_error("%s", refusal);
    else if (status == ORK_NOTFOUND)
        ork_error("there are no calls of several ranks to draw");
    else if (status != ORK_OK)
        ork_error("invalid reply");
    json_decref(answer);
    free(data->bytes);
    *data = (struct ork_view_data){.bytes = text, .size = text != NULL ? strlen(text) : 0};
    return status == ORK_OK ? 0 : ORK_EXIT_UNAVAILABLE;
}

int ork_view_live(const struct ork_view_options *options, struct ork_view_data *data)
{
    enum ork_view_format format = options->format;

    if (options->input[0] == NULL)
        return list_all(format == ORK_VIEW_JSON, data);
    int code = ask_one(options->input[0], format != ORK_VIEW_TEXT, data);
    if (code != 0 || format == ORK_VIEW_TEXT)
        return code;
    return format == ORK_VIEW_JSON ? format_json(data) : draw_lanes(data);
}
