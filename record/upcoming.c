/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/upcoming.h"

static void begin(struct ork_upcoming *u, const struct ork_decision *d)
{
    u->is_on = false;
    u->comm = d->number;
    u->clock = 0;
    u->messages = u->requests = u->first = 0;
}

static bool add_message(struct ork_upcoming *u, const struct ork_decision *d)
{
    bool is_taken = d->decided != ORK_DECIDED_UPCOMING_MESSAGE;

    if (u->messages == ORK_UPCOMING_MAX)
        return false;
    u->message[u->messages++] =
        (struct ork_upcoming_message){.source = d->source,
                                      .tag = d->tag,
                                      .time = is_taken ? d->source : (int32_t)d->number,
                                      .is_taken = is_taken};
    return true;
}

static bool add_request(struct ork_upcoming *u, uint32_t id, uint32_t serial, uint32_t place)
{
    if (u->requests == ORK_UPCOMING_REQUESTS)
        return false;
    u->request[u->requests++] =
        (struct ork_upcoming_request){.id = id, .serial = serial, .message = place};
    return true;
}

/* RATIONALE: what does not fit is not known, so the whole list is of no use. */
void ork_upcoming_read(struct ork_upcoming *u, const struct ork_decision *d,
                       uint32_t (*serial_of)(void *context, uint32_t id), void *context)
{
    bool fits = true;

    switch (d->decided) {
    case ORK_DECIDED_UPCOMING:
        begin(u, d);
        break;
    case ORK_DECIDED_UPCOMING_MESSAGE:
        fits = add_message(u, d);
        break;
    case ORK_DECIDED_UPCOMING_TAKEN:
        fits = add_request(u, d->number, serial_of(context, d->number), u->messages) &&
               add_message(u, d);
        break;
    case ORK_DECIDED_UPCOMING_LATER:
        fits = add_request(u, d->number, serial_of(context, d->number), ORK_UPCOMING_LATER);
        break;
    case ORK_DECIDED_UPCOMING_END:
        u->is_on = d->number == u->messages + u->requests;
        break;
    default:
        break;
    }
    if (!fits)
        u->messages = u->requests = 0; /* so the END does not fit, either */
}

static bool fits(const struct ork_upcoming_message *m, int32_t source, int32_t tag)
{
    return !m->is_taken && (source < 0 || m->source == source) && (tag < 0 || m->tag == tag);
}

uint32_t ork_upcoming_find(const struct ork_upcoming *u, uint32_t comm, int32_t source, int32_t tag)
{
    if (!u->is_on || u->comm != comm)
        return ORK_UPCOMING_LATER;
    for (uint32_t i = u->first; i < u->messages; i++) {
        if (fits(&u->message[i], source, tag))
            return i;
    }
    return ORK_UPCOMING_LATER;
}

void ork_upcoming_take(struct ork_upcoming *u, uint32_t place)
{
    if (!u->is_on || place >= u->messages)
        return;
    u->message[place].is_taken = true;
    while (u->first < u->messages && u->message[u->first].is_taken)
        u->first++;
}

void ork_upcoming_receive(struct ork_upcoming *u, uint32_t place)
{
    if (u->is_on && place < u->messages && u->message[place].time >= u->clock &&
        u->message[place].time < INT32_MAX)
        u->clock = u->message[place].time + 1;
}

void ork_upcoming_post(struct ork_upcoming *u, uint32_t id, uint32_t serial, uint32_t place)
{
    if (!u->is_on)
        return;
    for (uint32_t i = 0; i < u->requests; i++) {
        if (u->request[i].id != id)
            continue;
        u->request[i] = (struct ork_upcoming_request){.id = id, .serial = serial, .message = place};
        return;
    }
    if (!add_request(u, id, serial, place))
        ork_upcoming_drop(u);
}

void ork_upcoming_forget(struct ork_upcoming *u, uint32_t id)
{
    for (uint32_t i = 0; i < u->requests; i++) {
        if (u->request[i].id != id)
            continue;
        u->request[i] = u->request[--u->requests];
        return;
    }
}

bool ork_upcoming_place_of(const struct ork_upcoming *u, uint32_t id, uint32_t serial,
                           uint32_t *place)
{
    for (uint32_t i = 0; u->is_on && i < u->requests; i++) {
        if (u->request[i].id == id && u->request[i].serial == serial) {
            *place = u->request[i].message;
            return true;
        }
    }
    return false;
}
