/* SPDX-License-Identifier: BSD-3-Clause */
/* Schema 1 of docs/reference/json.md, writing: additional details of a deadlock. */
#include "report/json_write.h"

#include "report/enum_names.h"
#include "report/last_calls.h"

static json_t *near_misses_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_near_misses; i++) {
        const struct ork_near_miss *near = &finding->near_miss[i];
        json_t *o = json_object();
        ork_json_put(&o, "waits", ork_json_match_end(&near->waits));
        ork_json_put(&o, "pending", ork_json_match_end(&near->pending));
        ork_json_put(&o, "differs", ork_json_text(near->differs != NULL ? near->differs : ""));
        ork_json_put(&o, "others", json_integer(near->others));
        ork_json_put(&o, "message", ork_json_text(near->message != NULL ? near->message : ""));
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *communicators_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_communicators; i++) {
        const struct ork_communicator *c = &finding->communicator[i];
        json_t *o = json_object();
        ork_json_put(&o, "name", ork_json_text(c->name != NULL ? c->name : ""));
        ork_json_put(&o, "size", json_integer(c->size));
        ork_json_put(&o, "inter", json_boolean(c->inter));
        ork_json_put(&o, "members", ork_json_runs(c->member, c->num_members));
        ork_json_put(&o, "origin", ork_json_text(c->origin));
        ork_json_put(&o, "parent", ork_json_text(c->parent));
        ork_json_put(&o, "rank", json_integer(c->rank));
        ork_json_put(&o, "where", ork_json_where(&c->where));
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *remedies_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_remedies; i++) {
        const struct ork_remedy *remedy = &finding->remedy[i];
        json_t *o = json_object();
        ork_json_put(&o, "ranks", ork_json_ranks(&remedy->ranks));
        ork_json_put(&o, "call", ork_json_text(remedy->call != NULL ? remedy->call : ""));
        ork_json_put(&o, "where", ork_json_where(&remedy->where));
        ork_json_put(&o, "frees", ork_json_ranks(&remedy->frees));
        ork_json_put(&o, "message", ork_json_text(remedy->message != NULL ? remedy->message : ""));
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *basis_value(const struct ork_finding *finding)
{
    json_t *o = json_object();

    ork_json_put(&o, "kind", ork_json_text(ork_basis_word(finding->basis)));
    ork_json_put(&o, "text", ork_json_text(finding->basis_text));
    return o;
}

static json_t *iteration_value(const struct ork_last_call *c)
{
    json_t *o = json_object();

    ork_json_put(&o, "calls", json_integer(c->iteration));
    ork_json_put(&o, "times", json_integer(c->iterations));
    return o;
}

static json_t *call_value(const struct ork_last_call *c)
{
    json_t *o = json_object();

    ork_json_put(&o, "call", ork_json_text(c->call));
    ork_json_put(&o, "comm", ork_json_text(c->comm));
    ork_json_put(&o, "peer", ork_json_number_or_text(c->peer));
    ork_json_put(&o, "tag", ork_json_number_or_text(c->tag));
    ork_json_put(&o, "source", ork_json_number_or_text(c->source));
    ork_json_put(&o, "source_tag", ork_json_number_or_text(c->source_tag));
    ork_json_put(&o, "root", ork_json_number_or_text(c->root));
    ork_json_put(&o, "bytes", c->has_bytes ? ork_json_count(c->bytes) : json_null());
    ork_json_put(&o, "requests", c->requests > 0 ? json_integer(c->requests) : json_null());
    ork_json_put(&o, "times", json_integer(c->times));
    ork_json_put(&o, "took", ork_json_text(c->took));
    if (c->own_name != NULL)
        ork_json_put(&o, "own_name", ork_json_text(c->own_name));
    ork_json_put(&o, "error", c->error != 0 ? json_integer(c->error) : json_null());
    ork_json_put(&o, "inside", json_boolean(c->inside));
    ork_json_put(&o, "pending", json_integer(c->pending));
    ork_json_put(&o, "position",
                 c->position != UINT32_MAX ? json_integer(c->position) : json_null());
    if (c->iteration > 0)
        ork_json_put(&o, "iteration", iteration_value(c));
    ork_json_put(&o, "where", ork_json_where(&c->where));
    return o;
}

static json_t *last_calls_value(const struct ork_finding *finding)
{
    json_t *lists = json_array();

    for (uint32_t i = 0; i < finding->num_last_calls; i++) {
        const struct ork_last_calls *list = &finding->last_calls[i];
        json_t *calls = json_array();
        json_t *o = json_object();
        for (uint32_t k = 0; k < list->num_calls; k++)
            ork_json_append(&calls, call_value(&list->call[k]));
        ork_json_put(&o, "ranks", ork_json_ranks(&list->ranks));
        ork_json_put(&o, "thread", list->thread >= 0 ? json_integer(list->thread) : json_null());
        ork_json_put(&o, "calls", calls);
        ork_json_append(&lists, o);
    }
    return lists;
}

static json_t *arrows_value(const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_arrows; i++) {
        const struct ork_last_arrow *arrow = &finding->arrow[i];
        json_t *o = json_object();
        ork_json_put(&o, "from_list", json_integer(arrow->from_list));
        ork_json_put(&o, "from_call", json_integer(arrow->from_call));
        ork_json_put(&o, "to_list", json_integer(arrow->to_list));
        ork_json_put(&o, "to_call", json_integer(arrow->to_call));
        ork_json_append(&array, o);
    }
    return array;
}

static json_t *access_value(const struct ork_window_access *access)
{
    json_t *o = json_object();

    ork_json_put(&o, "rank", json_integer(access->rank));
    ork_json_put(&o, "call", ork_json_text(access->call != NULL ? access->call : ""));
    ork_json_put(&o, "target", json_integer(access->target));
    ork_json_put(&o, "first", json_integer(access->low));
    ork_json_put(&o, "end", json_integer(access->high));
    ork_json_put(&o, "address", json_boolean(access->is_address));
    ork_json_put(&o, "gaps", json_boolean(access->has_gaps));
    ork_json_put(&o, "reads", json_boolean(access->is_read));
    ork_json_put(&o, "epoch", ork_json_text(access->epoch));
    ork_json_put(&o, "where", ork_json_where(&access->where));
    return o;
}

static void put_accesses(json_t **o, const struct ork_finding *finding)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < finding->num_accesses; i++)
        ork_json_append(&array, access_value(&finding->access[i]));
    ork_json_put(o, "accesses", array);
    if (finding->window_size > 0)
        ork_json_put(o, "window_size", ork_json_count(finding->window_size));
}

static json_t *rates_value(const struct ork_finding *finding)
{
    json_t *ranks = json_array(), *o = json_object();

    for (uint32_t i = 0; i < finding->num_rates; i++) {
        json_t *rank = json_object();
        ork_json_put(&rank, "rank", json_integer(finding->rates[i].rank));
        ork_json_put(&rank, "calls", ork_json_ranks(&finding->rates[i].calls));
        ork_json_append(&ranks, rank);
    }
    ork_json_put(&o, "ago", json_real(finding->rates_ago));
    ork_json_put(&o, "ranks", ranks);
    return o;
}

void ork_json_put_rates(json_t **o, const struct ork_finding *finding)
{
    if (finding->num_rates > 0)
        ork_json_put(o, "calls_by_second", rates_value(finding));
}

void ork_json_put_context(json_t **o, const struct ork_finding *finding)
{
    ork_json_put(o, "near_misses", near_misses_value(finding));
    ork_json_put(o, "communicators", communicators_value(finding));
    ork_json_put(o, "resolve", remedies_value(finding));
    ork_json_put(o, "last_calls", last_calls_value(finding));
    if (finding->are_calls_gone)
        ork_json_put(o, "calls_gone", json_true());
    ork_json_put(o, "messages", arrows_value(finding));
    if (finding->num_accesses > 0)
        put_accesses(o, finding);
    ork_json_put_rates(o, finding);
    ork_json_put(o, "basis", basis_value(finding));
}
