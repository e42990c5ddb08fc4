/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/last_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ork_last_call_release(struct ork_last_call *call)
{
    free(call->call);
    free(call->comm);
    free(call->peer);
    free(call->tag);
    free(call->source);
    free(call->source_tag);
    free(call->root);
    free(call->took);
    ork_where_release(&call->where);
}

void ork_last_calls_drain(struct ork_last_calls *list)
{
    for (uint32_t i = 0; i < list->num_calls; i++)
        ork_last_call_release(&list->call[i]);
    free(list->call);
    free(list->ranks.item);
}

void ork_last_calls_release(struct ork_last_calls *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ork_last_calls_drain(&list[i]);
    free(list);
}

/* ---- words ---- */

static void put_argument(FILE *out, const char *name, const char *value, bool *first)
{
    if (value == NULL)
        return;
    fprintf(out, "%s%s%s", *first ? "(" : ", ", name, value);
    *first = false;
}

static const char *towards(const struct ork_last_call *c)
{
    bool receives =
        c->source == NULL && (strstr(c->call, "ecv") != NULL || strstr(c->call, "robe") != NULL);

    return receives ? "from " : c->tag != NULL ? "to " : "target ";
}

char *ork_last_call_words(const struct ork_last_call *c)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool first = true;
    char number[32];

    if (out == NULL)
        return NULL;
    fputs(c->call, out);
    put_argument(out, towards(c), c->peer, &first);
    put_argument(out, "tag ", c->tag, &first);
    put_argument(out, "from ", c->source, &first);
    put_argument(out, "tag ", c->source_tag, &first);
    put_argument(out, "root ", c->root, &first);
    put_argument(out, "", c->comm, &first);
    snprintf(number, sizeof(number), "%" PRIu64 " byte%s", c->bytes, c->bytes == 1 ? "" : "s");
    put_argument(out, "", c->has_bytes ? number : NULL, &first);
    snprintf(number, sizeof(number), "%" PRIu32 " request%s", c->requests,
             c->requests == 1 ? "" : "s");
    put_argument(out, "", c->requests > 0 ? number : NULL, &first);
    if (!first)
        fputc(')', out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

char *ork_last_call_outcome(const struct ork_last_call *c)
{
    char *text = NULL;
    int n = 0;

    if (c->inside)
        return strdup("has not returned");
    if (c->error != 0)
        n = asprintf(&text, "failed with MPI error class %" PRIu32, c->error);
    else if (c->took != NULL)
        n = asprintf(&text, "took the message of %s", c->took);
    else
        return strdup("");
    return n < 0 ? NULL : text;
}

/* ---- JSON ---- */

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
    ork_json_put(&o, "error", c->error != 0 ? json_integer(c->error) : json_null());
    ork_json_put(&o, "inside", json_boolean(c->inside));
    ork_json_put(&o, "where", ork_json_where(&c->where));
    return o;
}

json_t *ork_json_last_calls(const struct ork_finding *finding)
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
    c->error = ork_json_reader_get_u32(in, o, "error");
    c->inside = ork_json_reader_get_bool(in, o, "inside", false);
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_parse_place(in, ork_json_reader_object(in, "where", where), &c->where);
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

void ork_parse_last_calls(struct ork_json_reader *in, const json_t *o, struct ork_finding *out)
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
