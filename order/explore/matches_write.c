/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/matches_internal.h"

#include "common/vec.h"

#include <stdlib.h>

struct site {
    uint32_t rank, number;
};

struct collecting {
    json_t *matches;
    struct site *site;
    uint32_t sites, room;
    enum ork_status status;
};

static void add_site(struct collecting *to, uint32_t rank, uint32_t number)
{
    if (ork_vec_reserve(&to->site, &to->room, to->sites + 1, sizeof(*to->site)))
        to->site[to->sites++] = (struct site){rank, number};
    else
        to->status = ORK_NOMEM;
}

static bool add_match(void *context, const struct ork_causal_choice *c)
{
    struct collecting *to = context;

    bool is_receive = c->kind == ORK_CHOICE_RECEIVE || c->kind == ORK_CHOICE_PROBE;
    bool has_other = c->send_call != 0 && c->sender != UINT32_MAX;

    if (c->number == 0 || c->post_call == 0 || (is_receive && !has_other))
        return true;
    json_t *item = json_pack(
        "[I, I, i, I, I, i, I]", (json_int_t)c->rank, (json_int_t)c->number, (int)c->post_call,
        (json_int_t)c->post_site, has_other ? (json_int_t)c->sender : -1,
        has_other ? (int)c->send_call : 0, has_other ? (json_int_t)c->send_site : 0);
    if (json_array_append_new(to->matches, item) != 0)
        to->status = ORK_NOMEM;
    add_site(to, c->rank, c->post_site);
    if (has_other)
        add_site(to, c->sender, c->send_site);
    return to->status == ORK_OK;
}

static int compare_sites(const void *x, const void *y)
{
    const struct site *a = x, *b = y;

    if (a->rank != b->rank)
        return a->rank > b->rank ? 1 : -1;
    return (a->number > b->number) - (a->number < b->number);
}

/* null: unknown, or no UTF-8. */
static json_t *text_or_null(const char *text)
{
    json_t *value = text != NULL ? json_string(text) : NULL;

    return value != NULL ? value : json_null();
}

static enum ork_status add_place(struct ork_call_places places, const struct site *s, json_t *list)
{
    struct ork_call_place p = {0};
    enum ork_status status = places.find(places.context, s->rank, s->number, &p);

    if (status != ORK_OK)
        return status;
    json_t *item = json_pack("[I, I, o, o, I, o, I]", (json_int_t)s->rank, (json_int_t)s->number,
                             text_or_null(p.function), text_or_null(p.file), (json_int_t)p.line,
                             text_or_null(p.module), (json_int_t)p.offset);
    return json_array_append_new(list, item) == 0 ? ORK_OK : ORK_NOMEM;
}

/* Each site once. */
static json_t *places_of(struct collecting *from, struct ork_call_places places)
{
    json_t *list = json_array();

    if (from->sites > 0)
        qsort(from->site, from->sites, sizeof(*from->site), compare_sites);
    for (uint32_t i = 0; i < from->sites && from->status == ORK_OK; i++) {
        if (i == 0 || compare_sites(&from->site[i - 1], &from->site[i]) != 0)
            from->status = add_place(places, &from->site[i], list);
    }
    return list;
}

enum ork_status ork_matches_put(const struct ork_causality *c, struct ork_call_places places,
                                json_t *line)
{
    struct collecting to = {.matches = json_array()};

    if (places.find != NULL)
        ork_causality_deciders(c, add_match, &to);
    json_t *list = places_of(&to, places);
    free(to.site);
    if (json_object_set_new(line, "matches", to.matches) != 0 ||
        json_object_set_new(line, "places", list) != 0)
        to.status = ORK_NOMEM;
    return to.status;
}
