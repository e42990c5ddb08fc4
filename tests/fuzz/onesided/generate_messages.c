/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: each is sent before it is received, or received by a nonblocking call before. */
#include "tests/fuzz/onesided/generate.h"

#include <string.h>

/* Its buffer, and whether it is pending. */
static void make(struct state *s, struct event *e, int rank, const struct message *m, bool pends)
{
    bool is_receive = e->type == EVENT_RECV || e->type == EVENT_RECV_ANY;

    e->length = m->length;
    e->tag = m->tag;
    e->origin = place_buffer(s, rank, m->length, 0, is_receive);
    if (event_has_buffer(e)) {
        e->site = any_site(s);
        s->accesses += 3;
    }
    /* a synchronous send is complete when it is received, a receive when it is sent */
    if (pends)
        open_request(s, e, rank, e->type == EVENT_SEND ? -1 : m->number);
}

static bool pends(struct state *s)
{
    return s->may_pend && any(s, 2) == 0;
}

/* RATIONALE: real libraries complete a standard send at once, and then give all of them one
 * request; such buffers are not compared. */
static enum event_type any_send(struct state *s, bool is_pending)
{
    return is_pending && (s->is_real || any(s, 2) == 0) ? EVENT_SSEND : EVENT_SEND;
}

/* RATIONALE: those that the MPI library receives have tags of their own, because another one may
 * come first. */
static struct message new_message(struct state *s, int from, int to, bool has_tag)
{
    int number = s->numbers++;

    return (struct message){from, to, number, 1 + any(s, LENGTHS), has_tag ? number + 1 : 0};
}

void send(struct state *s, int from, int to)
{
    bool is_pending = pends(s) && s->opened[from] < OPEN_MAX;

    if (s->messages == MESSAGES_MAX || from == to)
        return;
    struct message m = new_message(s, from, to, s->is_real);
    s->message[s->messages++] = m;
    struct event *e = add_event(s, from, any_send(s, is_pending), 0, to, m.number);
    make(s, e, from, &m, is_pending);
}

/* RATIONALE: a synchronous send is received at once, so that its sender may go on. */
void send_synchronous(struct state *s, int from, int to)
{
    for (int i = 0; i < s->messages; i++) {
        if (s->message[i].from == from && s->message[i].to == to)
            return;
    }
    if (from == to)
        return;
    struct message m = new_message(s, from, to, s->is_real);
    make(s, add_event(s, from, EVENT_SSEND, 0, to, m.number), from, &m, false);
    make(s, add_event(s, to, EVENT_RECV, 0, from, m.number), to, &m, pends(s));
}

void receive(struct state *s)
{
    if (s->messages == 0)
        return;
    int i = any(s, s->messages);
    for (int k = 0; k < i; k++) {
        if (s->message[k].from == s->message[i].from && s->message[k].to == s->message[i].to)
            i = k;
    }
    struct message m = s->message[i];
    enum event_type type = any(s, 3) == 0 ? EVENT_RECV_ANY : EVENT_RECV;
    memmove(&s->message[i], &s->message[i + 1], (size_t)(--s->messages - i) * sizeof(m));
    make(s, add_event(s, m.to, type, 0, m.from, m.number), m.to, &m, pends(s));
}

/* RATIONALE: it has a tag of its own, because others of the pair may be sent before. */
void expect(struct state *s, int from, int to)
{
    enum event_type type = any(s, 3) == 0 ? EVENT_RECV_ANY : EVENT_RECV;

    if (!s->may_pend || s->num_expected == EXPECTED_MAX || from == to || s->opened[to] == OPEN_MAX)
        return;
    struct message m = new_message(s, from, to, true);
    s->expected[s->num_expected++] = m;
    make(s, add_event(s, to, type, 0, from, m.number), to, &m, true);
}

void send_expected(struct state *s)
{
    if (s->num_expected == 0)
        return;
    int i = any(s, s->num_expected);
    struct message m = s->expected[i];
    bool is_pending = pends(s);
    enum event_type type = any(s, 3) == 0 ? EVENT_SSEND : any_send(s, is_pending);
    s->expected[i] = s->expected[--s->num_expected];
    make(s, add_event(s, m.from, type, 0, m.to, m.number), m.from, &m, is_pending);
}
