/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/protocol.h"

#include "common/assert.h"
#include "report/json_read.h"
#include "report/json_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [ORK_MESSAGE_READY] = "ready",     [ORK_MESSAGE_FINDING] = "finding",
    [ORK_MESSAGE_STACKS] = "stacks",   [ORK_MESSAGE_SUPERSEDED] = "superseded",
    [ORK_MESSAGE_STATE] = "state",     [ORK_MESSAGE_GONE] = "gone",
    [ORK_MESSAGE_FIGURES] = "figures", [ORK_MESSAGE_STUCK] = "stuck",
    [ORK_MESSAGE_PAUSED] = "held",     [ORK_MESSAGE_CHANGED] = "changed",
    [ORK_MESSAGE_STILL] = "still",     [ORK_MESSAGE_FINAL] = "final",
};

/* ---- reading ---- */

static uint64_t get_count(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 ? (uint64_t)value : 0;
}

static uint32_t get_u32(const json_t *object, const char *key)
{
    uint64_t value = get_count(object, key);

    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Cut to fit; "" if missing. */
static void get_text(const json_t *object, const char *key, char *out, size_t size)
{
    const char *text = json_string_value(json_object_get(object, key));

    snprintf(out, size, "%s", text != NULL ? text : "");
}

static void parse_statistics(const json_t *object, struct ork_statistics *statistics)
{
    const json_t *seconds = json_object_get(object, "seconds_to_verdict");

#define ORK_STATISTIC(name) statistics->name = get_count(object, #name);
#include "report/statistics.def"
#undef ORK_STATISTIC
    statistics->tool_ranks = get_u32(object, "tool_ranks");
    statistics->seconds_to_verdict = json_is_number(seconds) ? json_number_value(seconds) : -1;
}

/* The counts of all ranks, then their hashes. */
static enum ork_status parse_choices(const json_t *object, struct ork_report *final)
{
    struct ork_json_reader in = {.status = ORK_OK};

    if (json_is_object(object))
        ork_read_choices(&in, object, final);
    free(in.error);
    return in.status;
}

static enum ork_status parse_jobs(const json_t *list, struct ork_report *final)
{
    size_t i;
    json_t *job;

    json_array_foreach(list, i, job)
    {
        const char *origin = json_string_value(json_object_get(job, "origin"));
        enum ork_status status = ork_report_add_job(
            final, get_u32(job, "first"), get_u32(job, "ranks"), origin != NULL ? origin : "");
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

static enum ork_status parse_final(const json_t *object, struct ork_report *final)
{
    json_t *notes = json_object_get(object, "notes");
    size_t i;
    json_t *note;

    parse_statistics(json_object_get(object, "statistics"), &final->statistics);
    if (parse_choices(json_object_get(object, "statistics"), final) == ORK_NOMEM)
        return ORK_NOMEM;
    final->complete = json_is_true(json_object_get(object, "complete"));
    final->ranks = get_u32(object, "ranks");
    json_array_foreach(notes, i, note)
    {
        if (json_is_string(note) && ork_report_add_note(final, json_string_value(note)) != ORK_OK)
            return ORK_NOMEM;
    }
    return parse_jobs(json_object_get(object, "jobs"), final);
}

static enum ork_status parse_finding(const json_t *object, struct ork_finding *finding)
{
    char *error = NULL;
    enum ork_status status = ork_parse_finding(json_object_get(object, "finding"), finding, &error);

    free(error);
    return status;
}

static double get_real(const json_t *object, const char *key, double missing)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : missing;
}

static enum ork_status parse_progress(const json_t *list, struct ork_message *message)
{
    size_t i;
    json_t *p;

    if (!json_is_array(list))
        return ORK_OK;
    message->progress = calloc(json_array_size(list) + 1, sizeof(*message->progress));
    if (message->progress == NULL)
        return ORK_NOMEM;
    json_array_foreach(list, i, p)
    {
        message->progress[message->num_progress++] =
            (struct ork_rank_progress){.rank = get_u32(p, "rank"),
                                       .seconds = get_real(p, "seconds", 0),
                                       .calls = get_count(p, "calls"),
                                       .more = get_count(p, "more"),
                                       .polls = get_count(p, "polls"),
                                       .processors = get_real(p, "processors", -1)};
    }
    return ORK_OK;
}

static void parse_figures(const json_t *object, struct ork_run_figures *figures)
{
    const json_t *blocked = json_object_get(object, "blocked");
    const char *call = json_string_value(json_object_get(blocked, "call"));

    *figures =
        (struct ork_run_figures){.ranks = get_u32(object, "ranks"),
                                 .calls = get_count(object, "calls"),
                                 .messages = get_count(object, "messages"),
                                 .collectives = get_count(object, "collectives"),
                                 .queued = get_count(object, "queued"),
                                 .is_blocked = call != NULL,
                                 .is_outside = json_is_true(json_object_get(blocked, "outside")),
                                 .waiting = get_u32(blocked, "waiting"),
                                 .rank = get_u32(blocked, "rank"),
                                 .seconds = get_real(blocked, "seconds", 0)};
    get_text(blocked, "call", figures->call, sizeof(figures->call));
}

/* Only the calls by second. */
static enum ork_status parse_rates(const json_t *object, struct ork_finding *finding)
{
    struct ork_json_reader in = {.status = ORK_OK};

    if (json_is_object(object))
        ork_parse_rates(&in, object, finding);
    free(in.error);
    return in.status;
}

static enum ork_status parse_paused(const json_t *object, struct ork_paused *held)
{
    const json_t *list = json_object_get(object, "ranks");
    size_t i;
    json_t *r;

    held->rank = get_u32(object, "rank");
    held->thread = get_u32(object, "thread");
    held->choice = get_count(object, "choice");
    get_text(object, "call", held->call, sizeof(held->call));
    held->ranks = calloc(json_array_size(list) + 1, sizeof(*held->ranks));
    if (held->ranks == NULL)
        return ORK_NOMEM;
    json_array_foreach(list, i, r)
    {
        struct ork_paused_rank *rank = &held->ranks[held->num_ranks++];
        rank->rank = get_u32(r, "rank");
        rank->pid = get_u32(r, "pid");
        get_text(r, "host", rank->host, sizeof(rank->host));
        get_text(r, "doing", rank->doing, sizeof(rank->doing));
    }
    return ORK_OK;
}

/* Some hangs are no deadlock of the graph, for example a mismatch of collectives. */
static bool is_fatal(const json_t *object, const struct ork_finding *finding)
{
    const json_t *fatal = json_object_get(object, "fatal");

    return json_is_boolean(fatal) ? json_is_true(fatal) : finding->class_ == ORK_MANIFEST;
}

static enum ork_status parse_changed(const json_t *object, struct ork_message *message)
{
    const char *earlier = json_string_value(json_object_get(object, "earlier"));

    message->earlier = strdup(earlier != NULL ? earlier : "");
    return message->earlier == NULL ? ORK_NOMEM : parse_finding(object, &message->finding);
}

static enum ork_message_type type_of(const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "type"));

    for (size_t i = 1; name != NULL && i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0)
            return (enum ork_message_type)i;
    }
    return ORK_MESSAGE_UNKNOWN;
}

/* False: out of memory. */
static bool parse_unseen(const json_t *object, struct ork_message *message)
{
    const char *text = json_string_value(json_object_get(object, "unseen"));

    message->unseen = text != NULL && text[0] != '\0' ? strdup(text) : NULL;
    return message->unseen != NULL || text == NULL || text[0] == '\0';
}

static enum ork_status parse_object(const json_t *object, struct ork_message *message)
{
    if (!json_is_string(json_object_get(object, "type")))
        return ORK_INVALID;
    message->type = type_of(object);
    get_text(object, "tree", message->tree, sizeof(message->tree));
    get_text(object, "host", message->host, sizeof(message->host));
    message->pid = get_u32(object, "pid");
    message->has_order = json_is_true(json_object_get(object, "order"));
    message->has_lost = json_is_true(json_object_get(object, "lost"));
    if (message->type == ORK_MESSAGE_FINAL)
        return parse_unseen(object, message) ? parse_final(object, &message->final) : ORK_NOMEM;
    if (message->type == ORK_MESSAGE_PAUSED)
        return parse_paused(object, &message->held);
    if (message->type == ORK_MESSAGE_STILL)
        message->still = json_number_value(json_object_get(object, "seconds"));
    if (message->type == ORK_MESSAGE_FIGURES) {
        parse_figures(object, &message->figures);
        return parse_rates(object, &message->finding);
    }
    if (message->type == ORK_MESSAGE_CHANGED)
        return parse_changed(object, message);
    if (message->type != ORK_MESSAGE_FINDING && message->type != ORK_MESSAGE_STACKS &&
        message->type != ORK_MESSAGE_SUPERSEDED && message->type != ORK_MESSAGE_STATE)
        return ORK_OK;
    enum ork_status status = parse_finding(object, &message->finding);
    if (status == ORK_OK)
        message->fatal = is_fatal(object, &message->finding);
    if (status == ORK_OK && message->type == ORK_MESSAGE_STATE)
        status = parse_progress(json_object_get(object, "progress"), message);
    return status;
}

enum ork_status ork_message_parse(const char *line, size_t size, struct ork_message *message)
{
    json_error_t error;
    json_t *object = json_loadb(line, size, JSON_REJECT_DUPLICATES, &error);
    enum ork_status status;

    if (object == NULL)
        return json_error_code(&error) == json_error_out_of_memory ? ORK_NOMEM : ORK_INVALID;
    *message = (struct ork_message){.line = line, .size = size};
    ork_report_init(&message->final);
    status = parse_object(object, message);
    json_decref(object);
    if (status != ORK_OK)
        ork_message_release(message);
    return status;
}

void ork_message_release(struct ork_message *message)
{
    ork_finding_release(&message->finding);
    free(message->earlier);
    message->earlier = NULL;
    free(message->unseen);
    message->unseen = NULL;
    free(message->progress);
    message->progress = NULL;
    message->num_progress = 0;
    free(message->held.ranks);
    message->held = (struct ork_paused){.num_ranks = 0};
    ork_report_release(&message->final);
}

/* ---- writing ---- */

static json_t *progress_value(const struct ork_message *m)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < m->num_progress; i++) {
        const struct ork_rank_progress *p = &m->progress[i];
        json_t *o = json_object();
        ork_json_put(&o, "rank", json_integer(p->rank));
        ork_json_put(&o, "seconds", json_real(p->seconds));
        ork_json_put(&o, "calls", ork_json_count(p->calls));
        ork_json_put(&o, "more", ork_json_count(p->more));
        ork_json_put(&o, "polls", ork_json_count(p->polls));
        ork_json_put(&o, "processors", json_real(p->processors));
        ork_json_append(&list, o);
    }
    return list;
}

static json_t *blocked_value(const struct ork_run_figures *f)
{
    json_t *o = json_object();

    ork_json_put(&o, "rank", json_integer(f->rank));
    ork_json_put(&o, "seconds", json_real(f->seconds));
    ork_json_put(&o, "call", ork_json_text(f->call));
    ork_json_put(&o, "outside", json_boolean(f->is_outside));
    ork_json_put(&o, "waiting", json_integer(f->waiting));
    return o;
}

static void put_figures(json_t **o, const struct ork_run_figures *f)
{
    ork_json_put(o, "ranks", json_integer(f->ranks));
    ork_json_put(o, "calls", ork_json_count(f->calls));
    ork_json_put(o, "messages", ork_json_count(f->messages));
    ork_json_put(o, "collectives", ork_json_count(f->collectives));
    ork_json_put(o, "queued", ork_json_count(f->queued));
    if (f->is_blocked)
        ork_json_put(o, "blocked", blocked_value(f));
}

static void put_paused(json_t **o, const struct ork_paused *held)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < held->num_ranks; i++) {
        const struct ork_paused_rank *r = &held->ranks[i];
        json_t *rank = json_object();
        ork_json_put(&rank, "rank", json_integer(r->rank));
        ork_json_put(&rank, "pid", json_integer(r->pid));
        ork_json_put(&rank, "host", ork_json_text(r->host));
        ork_json_put(&rank, "doing", ork_json_text(r->doing));
        ork_json_append(&list, rank);
    }
    ork_json_put(o, "rank", json_integer(held->rank));
    ork_json_put(o, "thread", json_integer(held->thread));
    ork_json_put(o, "choice", ork_json_count(held->choice));
    ork_json_put(o, "call", ork_json_text(held->call));
    ork_json_put(o, "ranks", list);
}

static void put_final(json_t **o, const struct ork_message *m)
{
    const struct ork_report *final = &m->final;
    json_t *notes = json_array();

    for (uint32_t i = 0; i < final->num_notes; i++)
        ork_json_append(&notes, ork_json_text(final->note[i]));
    ork_json_put(o, "statistics", ork_json_statistics(final));
    ork_json_put(o, "notes", notes);
    ork_json_put(o, "jobs", ork_json_jobs(final));
    ork_json_put(o, "complete", json_boolean(final->complete));
    ork_json_put(o, "ranks", json_integer(final->ranks));
    ork_json_put(o, "order", json_boolean(m->has_order));
    ork_json_put(o, "lost", json_boolean(m->has_lost));
    ork_json_put(o, "unseen", ork_json_text(m->unseen));
}

static json_t *message_value(const struct ork_message *m)
{
    json_t *o = json_object();

    ORK_ASSERT(m->type != ORK_MESSAGE_UNKNOWN);
    ork_json_put(&o, "type", json_string(names[m->type]));
    switch (m->type) {
    case ORK_MESSAGE_READY:
        ork_json_put(&o, "host", ork_json_text(m->host));
        ork_json_put(&o, "pid", json_integer(m->pid));
        ork_json_put(&o, "tree", ork_json_text(m->tree));
        break;
    case ORK_MESSAGE_FINDING:
    case ORK_MESSAGE_STACKS:
    case ORK_MESSAGE_SUPERSEDED:
    case ORK_MESSAGE_STATE:
        ork_json_put(&o, "fatal", json_boolean(m->fatal));
        ork_json_put(&o, "finding", ork_json_finding(&m->finding));
        if (m->progress != NULL)
            ork_json_put(&o, "progress", progress_value(m));
        break;
    case ORK_MESSAGE_CHANGED:
        ork_json_put(&o, "earlier", ork_json_text(m->earlier));
        ork_json_put(&o, "finding", ork_json_finding(&m->finding));
        break;
    case ORK_MESSAGE_FIGURES:
        put_figures(&o, &m->figures);
        ork_json_put_rates(&o, &m->finding);
        break;
    case ORK_MESSAGE_PAUSED:
        put_paused(&o, &m->held);
        break;
    case ORK_MESSAGE_STILL:
        ork_json_put(&o, "seconds", json_real(m->still));
        break;
    case ORK_MESSAGE_FINAL:
        put_final(&o, m);
        break;
    case ORK_MESSAGE_GONE:
    case ORK_MESSAGE_STUCK:
    case ORK_MESSAGE_UNKNOWN:
        break;
    }
    return o;
}

enum ork_status ork_message_write(const struct ork_message *message, char **line)
{
    json_t *value = message_value(message);
    char *text = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
    size_t size = text != NULL ? strlen(text) : 0;
    char *whole = text != NULL ? realloc(text, size + 2) : NULL;

    json_decref(value);
    if (whole == NULL) {
        free(text);
        return ORK_NOMEM;
    }
    memcpy(whole + size, "\n", 2);
    *line = whole;
    return ORK_OK;
}
