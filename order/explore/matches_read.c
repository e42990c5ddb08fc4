/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/matches.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

struct ork_matches {
    struct ork_run_match *match; /* by rank and number */
    size_t num;
    json_t *places; /* sorted; it has the texts */
};

static uint64_t number_at(const json_t *list, size_t i)
{
    return (uint64_t)json_integer_value(json_array_get(list, i));
}

static struct ork_run_match match_of(const json_t *item)
{
    return (struct ork_run_match){
        .number = number_at(item, 1),
        .receive = {(uint32_t)number_at(item, 0), (uint32_t)number_at(item, 3),
                    (uint16_t)number_at(item, 2)},
        .send = {(uint32_t)number_at(item, 4), (uint32_t)number_at(item, 6),
                 (uint16_t)number_at(item, 5)},
        .has_send = number_at(item, 5) != 0,
    };
}

static int compare_choices(const void *x, const void *y)
{
    const struct ork_run_match *a = x, *b = y;

    if (a->receive.rank != b->receive.rank)
        return a->receive.rank > b->receive.rank ? 1 : -1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_matches(const void *x, const void *y)
{
    const struct ork_run_match *a = x, *b = y;
    int order = compare_choices(x, y);

    if (order != 0)
        return order;
    if (a->send.rank != b->send.rank)
        return a->send.rank > b->send.rank ? 1 : -1;
    return (a->send.site > b->send.site) - (a->send.site < b->send.site);
}

static enum ork_status take(const json_t *line, struct ork_matches *m)
{
    const json_t *list = json_object_get(line, "matches");

    m->num = json_array_size(list);
    m->match = calloc(m->num + 1, sizeof(*m->match));
    if (m->match == NULL)
        return ORK_NOMEM;
    for (size_t i = 0; i < m->num; i++)
        m->match[i] = match_of(json_array_get(list, i));
    qsort(m->match, m->num, sizeof(*m->match), compare_matches);
    m->places = json_incref(json_object_get(line, "places"));
    return ORK_OK;
}

static enum ork_status read_file(FILE *in, struct ork_matches *m, char *error)
{
    json_error_t why;

    errno = 0;
    json_t *line = json_loadf(in, JSON_DISABLE_EOF_CHECK, &why);
    if (line == NULL && errno == ENOMEM)
        return ORK_NOMEM;
    if (line == NULL) {
        snprintf(error, ORK_MATCHES_ERROR, "line 1 is no JSON");
        return ORK_INVALID;
    }
    enum ork_status status = take(line, m);
    json_decref(line);
    return status;
}

enum ork_status ork_matches_read(const char *path, struct ork_matches **out,
                                 char error[ORK_MATCHES_ERROR])
{
    FILE *in = fopen(path, "re");

    if (in == NULL)
        return ORK_IO;
    struct ork_matches *m = calloc(1, sizeof(*m));
    enum ork_status status = m == NULL ? ORK_NOMEM : read_file(in, m, error);
    fclose(in);
    if (status == ORK_OK)
        *out = m;
    else
        ork_matches_destroy(m);
    return status;
}

void ork_matches_destroy(struct ork_matches *m)
{
    if (m == NULL)
        return;
    free(m->match);
    json_decref(m->places);
    free(m);
}

const struct ork_run_match *ork_matches_find(const struct ork_matches *m, uint32_t rank,
                                             uint64_t number, size_t *count)
{
    const struct ork_run_match key = {.number = number, .receive.rank = rank};
    const struct ork_run_match *first =
        bsearch(&key, m->match, m->num, sizeof(*m->match), compare_choices);

    *count = 0;
    if (first == NULL)
        return NULL;
    while (first > m->match && compare_choices(first - 1, &key) == 0)
        first--;
    while (first + *count < m->match + m->num && compare_choices(first + *count, &key) == 0)
        ++*count;
    return first;
}

struct ork_call_place ork_matches_place(const struct ork_matches *m,
                                        const struct ork_matched_call *call)
{
    for (size_t i = 0; i < json_array_size(m->places); i++) {
        const json_t *item = json_array_get(m->places, i);
        if (number_at(item, 0) == call->rank && number_at(item, 1) == call->site)
            return (struct ork_call_place){
                .function = json_string_value(json_array_get(item, 2)),
                .file = json_string_value(json_array_get(item, 3)),
                .line = (uint32_t)number_at(item, 4),
                .module = json_string_value(json_array_get(item, 5)),
                .offset = number_at(item, 6),
            };
    }
    return (struct ork_call_place){0};
}
