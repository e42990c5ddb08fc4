/* SPDX-License-Identifier: BSD-3-Clause */
/* Schema 1 of docs/reference/json.md, reading: additional details of a deadlock. */
#include "report/json_read.h"

#include "report/enum_names.h"
#include "report/last_calls.h"

static const char *basis_choice(unsigned i)
{
    return ork_basis_word((enum ork_basis)i);
}

static void read_near_miss(struct ork_json_reader *in, const json_t *o, struct ork_near_miss *out)
{
    ork_json_reader_get_match_end(in, o, "waits", &out->waits);
    ork_json_reader_get_match_end(in, o, "pending", &out->pending);
    ork_json_reader_get_word(in, o, "differs", "", &out->differs);
    out->others = ork_json_reader_get_u32(in, o, "others");
    ork_json_reader_get_word(in, o, "message", "", &out->message);
}

static void get_near_misses(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "near_misses", &count);

    out->near_miss = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->near_miss)) : NULL;
    out->num_near_misses = out->near_miss != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_near_misses; i++) {
        size_t end = ork_json_reader_enter(in, "near miss", i);
        read_near_miss(in, ork_json_reader_object(in, "near_misses", json_array_get(list, i)),
                       &out->near_miss[i]);
        in->place[end] = '\0';
    }
}

static void read_communicator(struct ork_json_reader *in, const json_t *o,
                              struct ork_communicator *out)
{
    ork_json_reader_get_word(in, o, "name", "", &out->name);
    out->size = ork_json_reader_get_u32(in, o, "size");
    out->inter = ork_json_reader_get_bool(in, o, "inter", false);
    ork_json_reader_get_runs(in, o, "members", &out->member, &out->num_members);
    ork_json_reader_get_text(in, o, "origin", &out->origin);
    ork_json_reader_get_text(in, o, "parent", &out->parent);
    out->rank = ork_json_reader_get_u32(in, o, "rank");
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_json_reader_get_place(in, ork_json_reader_object(in, "where", where), &out->where);
}

static void get_communicators(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "communicators", &count);

    out->communicator =
        list != NULL ? ork_json_reader_room(in, count, sizeof(*out->communicator)) : NULL;
    out->num_communicators = out->communicator != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_communicators; i++) {
        size_t end = ork_json_reader_enter(in, "communicator", i);
        read_communicator(in, ork_json_reader_object(in, "communicators", json_array_get(list, i)),
                          &out->communicator[i]);
        in->place[end] = '\0';
    }
}

static void read_remedy(struct ork_json_reader *in, const json_t *o, struct ork_remedy *out)
{
    ork_json_reader_get_set(in, o, "ranks", &out->ranks);
    ork_json_reader_get_word(in, o, "call", "", &out->call);
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_json_reader_get_place(in, ork_json_reader_object(in, "where", where), &out->where);
    ork_json_reader_get_set(in, o, "frees", &out->frees);
    ork_json_reader_get_word(in, o, "message", "", &out->message);
}

static void get_remedies(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "resolve", &count);

    out->remedy = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->remedy)) : NULL;
    out->num_remedies = out->remedy != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_remedies; i++) {
        size_t end = ork_json_reader_enter(in, "resolve", i);
        read_remedy(in, ork_json_reader_object(in, "resolve", json_array_get(list, i)),
                    &out->remedy[i]);
        in->place[end] = '\0';
    }
}

static void get_basis(struct ork_json_reader *in, const json_t *finding, struct ork_finding *out)
{
    const json_t *o = ork_json_reader_value(in, finding, "basis");

    if (o == NULL)
        return;
    ork_json_reader_object(in, "basis", o);
    out->basis =
        (enum ork_basis)ork_json_reader_get_choice(in, o, "kind", ORK_BASIS_NONE, basis_choice, 4);
    ork_json_reader_get_text(in, o, "text", &out->basis_text);
}

static void read_call(struct ork_json_reader *in, const json_t *o, struct ork_last_call *c)
{
    ork_json_reader_get_word(in, o, "call", "", &c->call);
    ork_json_reader_get_text(in, o, "comm", &c->comm);
    ork_json_reader_get_number_or_text(in, o, "peer", &c->peer);
    ork_json_reader_get_number_or_text(in, o, "tag", &c->tag);
    ork_json_reader_get_number_or_text(in, o, "source", &c->source);
    ork_json_reader_get_number_or_text(in, o, "source_tag", &c->source_tag);
    ork_json_reader_get_number_or_text(in, o, "root", &c->root);
    c->has_bytes = ork_json_reader_value(in, o, "bytes") != NULL;
    c->bytes = ork_json_reader_get_u64(in, o, "bytes");
    c->requests = ork_json_reader_get_u32(in, o, "requests");
    c->times =
        ork_json_reader_value(in, o, "times") != NULL ? ork_json_reader_get_u32(in, o, "times") : 1;
    ork_json_reader_get_text(in, o, "took", &c->took);
    ork_json_reader_get_text(in, o, "own_name", &c->own_name);
    c->error = ork_json_reader_get_u32(in, o, "error");
    c->inside = ork_json_reader_get_bool(in, o, "inside", false);
    c->pending = ork_json_reader_get_u32(in, o, "pending");
    c->position = ork_json_reader_value(in, o, "position") != NULL
                      ? ork_json_reader_get_u32(in, o, "position")
                      : UINT32_MAX;
    const json_t *iteration = ork_json_reader_value(in, o, "iteration");
    if (iteration != NULL) {
        ork_json_reader_object(in, "iteration", iteration);
        c->iteration = ork_json_reader_get_u32(in, iteration, "calls");
        c->iterations = ork_json_reader_get_u32(in, iteration, "times");
    }
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_json_reader_get_place(in, ork_json_reader_object(in, "where", where), &c->where);
}

static void read_list(struct ork_json_reader *in, const json_t *o, struct ork_last_calls *out)
{
    uint32_t count;

    ork_json_reader_get_set(in, o, "ranks", &out->ranks);
    bool several = ork_json_reader_value(in, o, "thread") != NULL;
    out->thread = several ? (int64_t)ork_json_reader_get_u32(in, o, "thread") : -1;
    const json_t *calls = ork_json_reader_get_list(in, o, "calls", &count);
    out->call = calls != NULL ? ork_json_reader_room(in, count, sizeof(*out->call)) : NULL;
    out->num_calls = out->call != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_calls; i++)
        read_call(in, ork_json_reader_object(in, "calls", json_array_get(calls, i)), &out->call[i]);
}

static void get_last_calls(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "last_calls", &count);

    out->last_calls =
        list != NULL ? ork_json_reader_room(in, count, sizeof(*out->last_calls)) : NULL;
    out->num_last_calls = out->last_calls != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_last_calls; i++) {
        size_t end = ork_json_reader_enter(in, "last calls", i);
        read_list(in, ork_json_reader_object(in, "last_calls", json_array_get(list, i)),
                  &out->last_calls[i]);
        in->place[end] = '\0';
    }
}

static void read_access(struct ork_json_reader *in, const json_t *o, struct ork_window_access *out)
{
    out->rank = ork_json_reader_get_u32(in, o, "rank");
    ork_json_reader_get_word(in, o, "call", "", &out->call);
    out->target = ork_json_reader_get_u32(in, o, "target");
    out->low = ork_json_reader_get_integer(in, o, "first", INT64_MIN, INT64_MAX);
    out->high = ork_json_reader_get_integer(in, o, "end", INT64_MIN, INT64_MAX);
    out->is_address = ork_json_reader_get_bool(in, o, "address", false);
    out->has_gaps = ork_json_reader_get_bool(in, o, "gaps", false);
    out->is_read = ork_json_reader_get_bool(in, o, "reads", false);
    ork_json_reader_get_text(in, o, "epoch", &out->epoch);
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_json_reader_get_place(in, ork_json_reader_object(in, "where", where), &out->where);
}

static void get_accesses(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "accesses", &count);

    out->access = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->access)) : NULL;
    out->num_accesses = out->access != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_accesses; i++)
        read_access(in, ork_json_reader_object(in, "accesses", json_array_get(list, i)),
                    &out->access[i]);
    out->window_size = ork_json_reader_get_u64(in, o, "window_size");
}

static void get_arrows(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, "messages", &count);

    out->arrow = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->arrow)) : NULL;
    out->num_arrows = out->arrow != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_arrows; i++) {
        size_t end = ork_json_reader_enter(in, "message", i);
        const json_t *m = ork_json_reader_object(in, "messages", json_array_get(list, i));
        out->arrow[i] =
            (struct ork_last_arrow){.from_list = ork_json_reader_get_u32(in, m, "from_list"),
                                    .from_call = ork_json_reader_get_u32(in, m, "from_call"),
                                    .to_list = ork_json_reader_get_u32(in, m, "to_list"),
                                    .to_call = ork_json_reader_get_u32(in, m, "to_call")};
        in->place[end] = '\0';
    }
}

void ork_parse_rates(struct ork_json_reader *in, const json_t *finding, struct ork_finding *out)
{
    const json_t *o = ork_json_reader_value(in, finding, "calls_by_second");
    uint32_t count;

    if (o == NULL)
        return;
    ork_json_reader_object(in, "calls_by_second", o);
    out->rates_ago = ork_json_reader_get_real(in, o, "ago", 0);
    const json_t *list = ork_json_reader_get_list(in, o, "ranks", &count);
    out->rates = list != NULL ? ork_json_reader_room(in, count, sizeof(*out->rates)) : NULL;
    out->num_rates = out->rates != NULL ? count : 0;
    for (uint32_t i = 0; i < out->num_rates; i++) {
        const json_t *rank = ork_json_reader_object(in, "ranks", json_array_get(list, i));
        out->rates[i].rank = ork_json_reader_get_u32(in, rank, "rank");
        ork_json_reader_get_set(in, rank, "calls", &out->rates[i].calls);
    }
}

void ork_parse_context(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
{
    get_near_misses(in, o, out);
    get_communicators(in, o, out);
    get_remedies(in, o, out);
    get_last_calls(in, o, out);
    out->are_calls_gone = ork_json_reader_get_bool(in, o, "calls_gone", false);
    get_arrows(in, o, out);
    get_accesses(in, o, out);
    ork_parse_rates(in, o, out);
    get_basis(in, o, out);
}
