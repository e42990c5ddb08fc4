/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/live.h"

#include "common/live_address.h"
#include "mustrun/supervise/timers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Greatest duration of a connection in milliseconds. */
enum { LIMIT = 30000 };
enum { QUESTION_MAX = 16 };

enum stage { STAGE_LISTENS, STAGE_NAME, STAGE_TEXT, STAGE_JSON, STAGE_WRITES };

struct connection {
    int fd; /* -1: none */
    enum stage stage;
    char question[QUESTION_MAX];
    size_t have;
    char *answer;
    size_t size, sent;
    int64_t until;
};

struct ork_live {
    int fd;
    struct connection connection[ORK_LIVE_CONNECTIONS];
};

enum ork_status ork_live_create(const char *session, struct ork_live **out)
{
    struct sockaddr_un address;
    socklen_t size;
    struct ork_live *live = malloc(sizeof(*live));

    if (live == NULL)
        return ORK_NOMEM;
    *live = (struct ork_live){.fd = -1};
    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS; i++)
        live->connection[i].fd = -1;
    enum ork_status status = ork_live_address(session, &address, &size);
    if (status == ORK_OK) {
        live->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (live->fd < 0 || bind(live->fd, (struct sockaddr *)&address, size) != 0 ||
            listen(live->fd, ORK_LIVE_CONNECTIONS) != 0)
            status = ORK_IO;
    }
    if (status == ORK_OK) {
        *out = live;
        return ORK_OK;
    }
    int saved = errno;
    ork_live_destroy(live);
    errno = saved;
    return status;
}

static void hang_up(struct connection *c)
{
    close(c->fd);
    free(c->answer);
    *c = (struct connection){.fd = -1};
}

void ork_live_destroy(struct ork_live *live)
{
    if (live == NULL)
        return;
    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS; i++) {
        if (live->connection[i].fd >= 0)
            hang_up(&live->connection[i]);
    }
    if (live->fd >= 0)
        close(live->fd);
    free(live);
}

static struct connection *find_free(struct ork_live *live)
{
    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS; i++) {
        if (live->connection[i].fd < 0)
            return &live->connection[i];
    }
    return NULL;
}

static bool has_room(const struct ork_live *live)
{
    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS; i++) {
        if (live->connection[i].fd < 0)
            return true;
    }
    return false;
}

nfds_t ork_live_fds(const struct ork_live *live, struct pollfd fds[ORK_LIVE_FDS])
{
    nfds_t n = 0;

    if (live == NULL)
        return 0;
    if (has_room(live))
        fds[n++] = (struct pollfd){.fd = live->fd, .events = POLLIN};
    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS; i++) {
        const struct connection *c = &live->connection[i];
        short events = c->stage == STAGE_WRITES ? POLLOUT : c->stage == STAGE_LISTENS ? POLLIN : 0;
        if (c->fd >= 0)
            fds[n++] = (struct pollfd){.fd = c->fd, .events = events};
    }
    return n;
}

int ork_live_wait(const struct ork_live *live)
{
    int64_t next = INT64_MAX;

    for (unsigned i = 0; live != NULL && i < ORK_LIVE_CONNECTIONS; i++) {
        const struct connection *c = &live->connection[i];
        if (c->fd >= 0 && c->until < next)
            next = c->until;
    }
    if (next == INT64_MAX)
        return -1;
    int64_t wait = next - ork_now();
    return wait > 0 ? (int)wait : 0;
}

/* The same user, or root, who may inspect any process. */
static bool may_ask(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

static void take_connections(struct ork_live *live)
{
    struct connection *c;

    while ((c = find_free(live)) != NULL) {
        int fd = accept4(live->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            return;
        if (may_ask(fd))
            *c = (struct connection){.fd = fd, .until = ork_now() + LIMIT};
        else
            close(fd);
    }
}

static bool set_stage(struct connection *c)
{
    static const char *const words[] = {
        [STAGE_NAME] = "name", [STAGE_TEXT] = "text", [STAGE_JSON] = "json"};

    for (enum stage s = STAGE_NAME; s <= STAGE_JSON; s++) {
        if (strcmp(c->question, words[s]) == 0) {
            c->stage = s;
            return true;
        }
    }
    return false;
}

static void take_question(struct connection *c)
{
    ssize_t n = recv(c->fd, c->question + c->have, sizeof(c->question) - 1 - c->have, 0);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        hang_up(c);
        return;
    }
    c->have += (size_t)n;
    c->question[c->have] = '\0';
    char *end = strchr(c->question, '\n');
    if (end == NULL && c->have < sizeof(c->question) - 1)
        return;
    if (end != NULL)
        *end = '\0';
    if (end == NULL || !set_stage(c))
        hang_up(c);
}

static void write_answer(struct connection *c)
{
    while (c->sent < c->size) {
        ssize_t n = send(c->fd, c->answer + c->sent, c->size - c->sent, MSG_NOSIGNAL);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n <= 0)
            break;
        c->sent += (size_t)n;
    }
    hang_up(c);
}

/* Has the client closed the connection? */
static bool is_gone(int fd)
{
    struct pollfd poll_fd = {.fd = fd};

    return poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & (POLLHUP | POLLERR)) != 0;
}

static void step(struct connection *c, int64_t now)
{
    if (c->fd >= 0 && c->stage == STAGE_LISTENS)
        take_question(c);
    if (c->fd >= 0 && c->stage == STAGE_WRITES)
        write_answer(c);
    if (c->fd >= 0 && (now >= c->until || is_gone(c->fd)))
        hang_up(c);
}

struct ork_live_questions ork_live_step(struct ork_live *live)
{
    struct ork_live_questions asked = {.name = false};

    if (live == NULL)
        return asked;
    take_connections(live);
    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS; i++) {
        struct connection *c = &live->connection[i];
        step(c, ork_now());
        asked.name |= c->stage == STAGE_NAME;
        asked.text |= c->stage == STAGE_TEXT;
        asked.json |= c->stage == STAGE_JSON;
    }
    return asked;
}

static void answer(struct ork_live *live, enum stage stage, const char *text)
{
    for (unsigned i = 0; live != NULL && i < ORK_LIVE_CONNECTIONS; i++) {
        struct connection *c = &live->connection[i];
        if (c->fd < 0 || c->stage != stage)
            continue;
        c->answer = text != NULL ? strdup(text) : NULL;
        c->size = c->answer != NULL ? strlen(c->answer) : 0;
        c->stage = STAGE_WRITES;
        write_answer(c);
    }
}

void ork_live_answer_name(struct ork_live *live, const char *text)
{
    answer(live, STAGE_NAME, text);
}

void ork_live_answer_text(struct ork_live *live, const char *text)
{
    answer(live, STAGE_TEXT, text);
}

void ork_live_answer_json(struct ork_live *live, const char *text)
{
    answer(live, STAGE_JSON, text);
}
