/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/alternatives.h"

#include "common/vec.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    FILE *in;
    uint32_t ranks, line, room;
    struct ork_alternatives *to;
    char *error;
};

static enum ork_status invalid(struct reading *r, const char *why)
{
    snprintf(r->error, ORK_ALTERNATIVES_ERROR, "line %u %s", r->line, why);
    return ORK_INVALID;
}

static enum ork_status read_line(struct reading *r, json_t **line)
{
    json_error_t error;
    int c = getc(r->in);

    r->line++;
    if (c == EOF)
        return ferror(r->in) ? ORK_IO : ORK_NOTFOUND;
    ungetc(c, r->in);
    errno = 0;
    *line = json_loadf(r->in, JSON_DISABLE_EOF_CHECK, &error);
    if (*line == NULL)
        return errno == ENOMEM ? ORK_NOMEM : invalid(r, "is no JSON");
    if (getc(r->in) != '\n') {
        json_decref(*line);
        return invalid(r, "is not complete");
    }
    return ORK_OK;
}

/* [rank, post, source, tag] */
static enum ork_status read_pending(struct reading *r, const json_t *list)
{
    size_t num = json_array_size(list);

    r->to->pending = calloc(num + 1, sizeof(*r->to->pending));
    if (r->to->pending == NULL)
        return ORK_NOMEM;
    for (size_t i = 0; i < num; i++) {
        const json_t *item = json_array_get(list, i);
        json_int_t rank = json_integer_value(json_array_get(item, 0));
        json_int_t post = json_integer_value(json_array_get(item, 1));
        if (rank < 0 || rank >= r->ranks || post < 1)
            return invalid(r, "has an invalid receive");
        r->to->pending[r->to->num_pending++] = (struct ork_kept_receive){
            .rank = (uint32_t)rank,
            .post = (uint64_t)post,
            .source = (int32_t)json_integer_value(json_array_get(item, 2)),
            .tag = (int32_t)json_integer_value(json_array_get(item, 3)),
        };
    }
    return ORK_OK;
}

static uint64_t count_at(const json_t *list, size_t i)
{
    return (uint64_t)json_integer_value(json_array_get(list, i));
}

/* [rank, number, polls, different, same, num_distinct, poll_index, series_abandoned,
 * all_abandoned, call, place] */
static enum ork_status read_polled(struct reading *r, const json_t *list)
{
    size_t num = json_array_size(list);

    r->to->polled = calloc(num + 1, sizeof(*r->to->polled));
    if (r->to->polled == NULL)
        return ORK_NOMEM;
    for (size_t i = 0; i < num; i++) {
        const json_t *item = json_array_get(list, i);
        uint64_t rank = count_at(item, 0);
        struct ork_polled_choice *p = &r->to->polled[r->to->num_polled++];
        *p = (struct ork_polled_choice){.rank = (uint32_t)rank,
                                        .number = count_at(item, 1),
                                        .polls = count_at(item, 2),
                                        .different = count_at(item, 3),
                                        .same = count_at(item, 4),
                                        .num_distinct = count_at(item, 5),
                                        .poll_index = count_at(item, 6),
                                        .series_abandoned = count_at(item, 7),
                                        .all_abandoned = count_at(item, 8),
                                        .call = (uint16_t)count_at(item, 9),
                                        .place = (uint32_t)count_at(item, 10)};
        if (rank >= r->ranks || p->number == 0 || p->polls > INT64_MAX || p->different == 0 ||
            p->different > p->polls || p->same > p->different || p->num_distinct > p->different ||
            p->poll_index > p->num_distinct || p->series_abandoned > p->num_distinct ||
            p->all_abandoned > p->num_distinct)
            return invalid(r, "has invalid polls");
    }
    return ORK_OK;
}

/* What comes before the lock: pairs of a rank, ascending, and a number of sections. */
static bool read_before(struct reading *r, const json_t *item, struct ork_locked_choice *l)
{
    size_t count = json_array_size(item) - 3;
    uint32_t *before = malloc((count + 1) * sizeof(*before));
    bool is_valid = count % 2 == 0;
    int64_t previous = -1;

    l->before = before;
    l->count = (uint32_t)count;
    for (size_t i = 0; before != NULL && i < count; i++) {
        uint64_t value = count_at(item, i + 3);
        is_valid = is_valid && value <= INT32_MAX;
        if (i % 2 == 0)
            is_valid = is_valid && (int64_t)value > previous && value < r->ranks;
        previous = i % 2 == 0 ? (int64_t)value : previous;
        before[i] = (uint32_t)value;
    }
    return is_valid;
}

/* [rank, number, whether it is repeated, before ..] */
static enum ork_status read_locked(struct reading *r, const json_t *list)
{
    size_t num = json_array_size(list);

    r->to->locked = calloc(num + 1, sizeof(*r->to->locked));
    if (r->to->locked == NULL)
        return ORK_NOMEM;
    for (size_t i = 0; i < num; i++) {
        const json_t *item = json_array_get(list, i);
        uint64_t rank = count_at(item, 0), number = count_at(item, 1);
        uint64_t is_repeated = count_at(item, 2);
        if (json_array_size(item) < 3 || rank >= r->ranks || number == 0 || is_repeated > 1)
            return invalid(r, "has an invalid lock");
        struct ork_locked_choice *l = &r->to->locked[r->to->num_locked++];
        *l = (struct ork_locked_choice){
            .rank = (uint32_t)rank, .number = number, .is_repeated = is_repeated != 0};
        if (!read_before(r, item, l))
            return invalid(r, "has an invalid lock");
        if (l->before == NULL)
            return ORK_NOMEM;
    }
    return ORK_OK;
}

static enum ork_status read_gaps(struct reading *r, const json_t *list)
{
    if (json_array_size(list) != ORK_GAPS)
        return invalid(r, "does not say what is unknown of the run");
    for (unsigned i = 0; i < ORK_GAPS; i++) {
        json_int_t ranks = json_integer_value(json_array_get(list, i));
        if (ranks < 0 || ranks > r->ranks)
            return invalid(r, "does not say what is unknown of the run");
        r->to->gap[i] = (uint32_t)ranks;
    }
    return ORK_OK;
}

static enum ork_status read_unordered(struct reading *r, const json_t *list)
{
    size_t num = json_array_size(list);

    r->to->unordered = calloc(num + 1, sizeof(*r->to->unordered));
    if (r->to->unordered == NULL)
        return ORK_NOMEM;
    for (size_t i = 0; i < num; i++) {
        const char *call = json_string_value(json_array_get(list, i));
        if (call == NULL)
            return invalid(r, "does not say which calls have no order");
        if ((r->to->unordered[i] = strdup(call)) == NULL)
            return ORK_NOMEM;
        r->to->num_unordered++;
    }
    return ORK_OK;
}

static enum ork_status read_run(struct reading *r)
{
    json_t *line, *pending, *polls, *locks, *gaps, *unordered;
    json_int_t ranks;
    const char *lost = NULL;
    enum ork_status status = read_line(r, &line);

    if (status != ORK_OK)
        return status == ORK_NOTFOUND ? invalid(r, "is missing") : status;
    if (json_unpack(line, "{s:I, s?s, s:o, s:o, s:o, s:o, s:o}", "ranks", &ranks, "lost", &lost,
                    "gaps", &gaps, "pending", &pending, "polls", &polls, "locks", &locks,
                    "unordered", &unordered) != 0 ||
        ranks != r->ranks)
        status = invalid(r, "is of another run");
    else if (lost != NULL && (r->to->lost = strdup(lost)) == NULL)
        status = ORK_NOMEM;
    else if ((status = read_gaps(r, gaps)) == ORK_OK &&
             (status = read_pending(r, pending)) == ORK_OK &&
             (status = read_polled(r, polls)) == ORK_OK &&
             (status = read_locked(r, locks)) == ORK_OK)
        status = read_unordered(r, unordered);
    json_decref(line);
    return status;
}

static struct ork_kept_receive receive_of(const json_t *item)
{
    return (struct ork_kept_receive){
        .rank = (uint32_t)json_integer_value(json_array_get(item, 0)),
        .number = (uint64_t)json_integer_value(json_array_get(item, 1)),
        .post = (uint64_t)json_integer_value(json_array_get(item, 2)),
        .source = (int32_t)json_integer_value(json_array_get(item, 3)),
        .tag = (int32_t)json_integer_value(json_array_get(item, 4)),
    };
}

/* [rank, polls]; -1: ORK_POLLS_ALL */
static void read_keep_polls(const json_t *list, uint32_t ranks, uint64_t *to)
{
    memset(to, 0, ranks * sizeof(*to));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        json_int_t rank = json_integer_value(json_array_get(item, 0));
        if (rank >= 0 && rank < ranks)
            to[rank] = (uint64_t)json_integer_value(json_array_get(item, 1));
    }
}

/* [call, site, place, polls, different, same, num_distinct, poll_index, first] */
static void read_poll(const json_t *list, struct ork_change *c)
{
    c->poll.call = (uint16_t)json_integer_value(json_array_get(list, 0));
    c->poll.site = (uint32_t)json_integer_value(json_array_get(list, 1));
    c->poll.place = (uint32_t)json_integer_value(json_array_get(list, 2));
    c->poll.polls = count_at(list, 3);
    c->poll.different = count_at(list, 4);
    c->poll.same = count_at(list, 5);
    c->poll.num_distinct = count_at(list, 6);
    c->poll.poll_index = count_at(list, 7);
    c->poll.first = count_at(list, 8);
}

/* All arrays of a change are in one block. */
static enum ork_status copy_lists(struct reading *r, struct ork_change *c, json_t *index,
                                  json_t *keep, json_t *polls, json_t *ahead)
{
    size_t i;
    size_t size = 2 * r->ranks * sizeof(*c->keep) + json_array_size(ahead) * sizeof(*c->ahead) +
                  json_array_size(index) * sizeof(*c->index);
    uint64_t *kept = malloc(size);

    if (kept == NULL)
        return ORK_NOMEM;
    struct ork_kept_receive *further = (struct ork_kept_receive *)(kept + 2 * r->ranks);
    uint32_t *indices = (uint32_t *)(further + json_array_size(ahead));
    c->keep = kept;
    c->keep_polls = kept + r->ranks;
    c->ahead = further;
    c->index = indices;
    c->count = (uint32_t)json_array_size(index);
    c->num_ahead = (uint32_t)json_array_size(ahead);
    for (i = 0; i < r->ranks; i++)
        kept[i] = (uint64_t)json_integer_value(json_array_get(keep, i));
    read_keep_polls(polls, r->ranks, kept + r->ranks);
    for (i = 0; i < c->num_ahead; i++)
        further[i] = receive_of(json_array_get(ahead, i));
    for (i = 0; i < c->count; i++)
        indices[i] = (uint32_t)json_integer_value(json_array_get(index, i));
    return ORK_OK;
}

static enum ork_status read_change(struct reading *r, json_t *line)
{
    struct ork_change c = {0};
    json_int_t rank, number, post;
    int kind, source, tag, took_source, took_tag;
    json_t *index, *keep, *polls, *poll, *ahead;

    if (json_unpack(line, "{s:I, s:I, s:I, s:i, s:i, s:i, s:[i, i], s:i, s:o, s:o, s:o, s:o, s:o}",
                    "rank", &rank, "number", &number, "post", &post, "kind", &kind, "source",
                    &source, "tag", &tag, "took", &took_source, &took_tag, "polls", &c.polls,
                    "poll", &poll, "index", &index, "keep", &keep, "kept_polls", &polls, "ahead",
                    &ahead) != 0 ||
        rank < 0 || rank >= r->ranks || number < 0 || post < 0 || (number == 0 && post == 0) ||
        kind < 0 || kind >= ORK_CHOICE_MAX || json_array_size(keep) != r->ranks ||
        json_array_size(index) > ORK_CHOICE_INDICES || json_array_size(ahead) > UINT32_MAX)
        return invalid(r, "is no alternative");
    c.rank = (uint32_t)rank;
    c.number = (uint64_t)number;
    c.kind = (uint8_t)kind;
    c.post = (uint64_t)post;
    c.source = source;
    c.tag = tag;
    c.took_source = took_source;
    c.took_tag = took_tag;
    read_poll(poll, &c);
    if (!ork_vec_reserve(&r->to->change, &r->room, r->to->num + 1, sizeof(*r->to->change)))
        return ORK_NOMEM;
    enum ork_status status = copy_lists(r, &c, index, keep, polls, ahead);
    if (status == ORK_OK)
        r->to->change[r->to->num++] = c;
    return status;
}

static enum ork_status read_all(struct reading *r)
{
    json_t *line;
    enum ork_status status = read_run(r);

    while (status == ORK_OK && (status = read_line(r, &line)) == ORK_OK) {
        status = read_change(r, line);
        json_decref(line);
    }
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

enum ork_status ork_alternatives_read(const char *path, uint32_t ranks,
                                      struct ork_alternatives **out,
                                      char error[ORK_ALTERNATIVES_ERROR])
{
    struct reading r = {.in = fopen(path, "re"), .ranks = ranks, .error = error};

    if (r.in == NULL)
        return ORK_IO;
    r.to = calloc(1, sizeof(*r.to));
    enum ork_status status = r.to == NULL ? ORK_NOMEM : read_all(&r);
    int saved = errno;
    fclose(r.in);
    errno = saved;
    if (status == ORK_OK)
        *out = r.to;
    else
        ork_alternatives_destroy(r.to);
    return status;
}

void ork_alternatives_destroy(struct ork_alternatives *a)
{
    if (a == NULL)
        return;
    for (uint32_t i = 0; i < a->num; i++)
        free((void *)(uintptr_t)a->change[i].keep);
    free(a->change);
    free(a->pending);
    free(a->polled);
    for (uint32_t i = 0; i < a->num_locked; i++)
        free((void *)(uintptr_t)a->locked[i].before);
    free(a->locked);
    for (uint32_t i = 0; i < a->num_unordered; i++)
        free(a->unordered[i]);
    free(a->unordered);
    free(a->lost);
    free(a);
}
