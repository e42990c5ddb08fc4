/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_reader.h"

#include "report/escape.h"
#include "report/fold_runs.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ork_json_reader_refuse(struct ork_json_reader *in, const char *format, ...)
{
    if (in->status != ORK_OK)
        return;
    va_list args;
    char *rest = NULL;
    va_start(args, format);
    if (vasprintf(&rest, format, args) < 0)
        rest = NULL;
    va_end(args);
    if (rest == NULL || asprintf(&in->error, "%s%s", in->place, rest) < 0)
        in->error = NULL;
    free(rest);
    in->status = in->error != NULL ? ORK_INVALID : ORK_NOMEM;
}

void *ork_json_reader_room(struct ork_json_reader *in, size_t count, size_t size)
{
    if (in->status != ORK_OK)
        return NULL;
    void *block = calloc(count > 0 ? count : 1, size);
    if (block == NULL)
        in->status = ORK_NOMEM;
    return block;
}

static char *copy(struct ork_json_reader *in, const char *s)
{
    char *block = in->status == ORK_OK ? strdup(s) : NULL;

    if (block == NULL && in->status == ORK_OK)
        in->status = ORK_NOMEM;
    return block;
}

const json_t *ork_json_reader_value(const struct ork_json_reader *in, const json_t *object,
                                    const char *key)
{
    const json_t *value = json_object_get(object, key);

    return in->status != ORK_OK || json_is_null(value) ? NULL : value;
}

void ork_json_reader_get_text(struct ork_json_reader *in, const json_t *o, const char *key,
                              char **out)
{
    const json_t *value = ork_json_reader_value(in, o, key);

    if (value == NULL)
        return;
    if (!json_is_string(value))
        ork_json_reader_refuse(in, "\"%s\" must be a string", key);
    else
        *out = copy(in, json_string_value(value));
}

void ork_json_reader_get_word(struct ork_json_reader *in, const json_t *o, const char *key,
                              const char *missing, char **out)
{
    ork_json_reader_get_text(in, o, key, out);
    if (*out == NULL)
        *out = copy(in, missing);
}

void ork_json_reader_get_number_or_text(struct ork_json_reader *in, const json_t *o,
                                        const char *key, char **out)
{
    const json_t *value = ork_json_reader_value(in, o, key);
    char digits[24];

    if (value == NULL)
        return;
    if (json_is_string(value)) {
        *out = copy(in, json_string_value(value));
    } else if (json_is_integer(value)) {
        snprintf(digits, sizeof(digits), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        *out = copy(in, digits);
    } else {
        ork_json_reader_refuse(in, "\"%s\" must be a string or a whole number", key);
    }
}

int64_t ork_json_reader_get_integer(struct ork_json_reader *in, const json_t *o, const char *key,
                                    int64_t min, int64_t max)
{
    const json_t *value = ork_json_reader_value(in, o, key);

    if (value == NULL)
        return 0;
    if (json_is_integer(value) && json_integer_value(value) >= min &&
        json_integer_value(value) <= max)
        return json_integer_value(value);
    ork_json_reader_refuse(in, "\"%s\" must be a whole number from %" PRId64 " to %" PRId64, key,
                           min, max);
    return 0;
}

uint32_t ork_json_reader_get_u32(struct ork_json_reader *in, const json_t *o, const char *key)
{
    return (uint32_t)ork_json_reader_get_integer(in, o, key, 0, UINT32_MAX);
}

uint64_t ork_json_reader_get_u64(struct ork_json_reader *in, const json_t *o, const char *key)
{
    return (uint64_t)ork_json_reader_get_integer(in, o, key, 0, INT64_MAX);
}

double ork_json_reader_get_real(struct ork_json_reader *in, const json_t *o, const char *key,
                                double missing)
{
    const json_t *value = ork_json_reader_value(in, o, key);

    if (value == NULL)
        return missing;
    if (!json_is_number(value))
        ork_json_reader_refuse(in, "\"%s\" must be a number", key);
    return json_number_value(value);
}

bool ork_json_reader_get_bool(struct ork_json_reader *in, const json_t *o, const char *key,
                              bool missing)
{
    const json_t *value = ork_json_reader_value(in, o, key);

    if (value == NULL)
        return missing;
    if (!json_is_boolean(value))
        ork_json_reader_refuse(in, "\"%s\" must be true or false", key);
    return json_is_true(value);
}

unsigned ork_json_reader_get_choice(struct ork_json_reader *in, const json_t *o, const char *key,
                                    unsigned missing, const char *(*word)(unsigned), unsigned count)
{
    const json_t *value = ork_json_reader_value(in, o, key);

    if (value == NULL)
        return missing;
    for (unsigned i = 0; i < count && json_is_string(value); i++) {
        const char *known = word(i);
        if (known != NULL && strcmp(known, json_string_value(value)) == 0)
            return i;
    }
    ork_json_reader_refuse(in, "\"%s\" has an unknown value", key);
    return missing;
}

const json_t *ork_json_reader_get_list(struct ork_json_reader *in, const json_t *o, const char *key,
                                       uint32_t *count)
{
    const json_t *value = ork_json_reader_value(in, o, key);

    *count = 0;
    if (value == NULL)
        return NULL;
    if (!json_is_array(value) || json_array_size(value) > UINT32_MAX) {
        ork_json_reader_refuse(in, "\"%s\" must be a list", key);
        return NULL;
    }
    *count = (uint32_t)json_array_size(value);
    return *count > 0 ? value : NULL;
}

static void read_set(struct ork_json_reader *in, const char *key, const json_t *list,
                     struct ork_u32s *out)
{
    size_t count = json_array_size(list);

    if (!json_is_array(list) || count > UINT32_MAX) {
        ork_json_reader_refuse(in, "\"%s\" must hold lists of ranks", key);
        return;
    }
    out->item = count > 0 ? ork_json_reader_room(in, count, sizeof(*out->item)) : NULL;
    if (out->item == NULL)
        return;
    out->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const json_t *rank = json_array_get(list, i);
        json_int_t n = json_integer_value(rank);
        if (!json_is_integer(rank) || n < 0 || n > UINT32_MAX)
            ork_json_reader_refuse(in, "\"%s\" must hold ranks", key);
        out->item[i] = (uint32_t)n;
    }
}

void ork_json_reader_get_set(struct ork_json_reader *in, const json_t *o, const char *key,
                             struct ork_u32s *out)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, key, &count);

    if (list != NULL)
        read_set(in, key, list, out);
}

void ork_json_reader_get_sets(struct ork_json_reader *in, const json_t *o, const char *key,
                              struct ork_u32s **out, uint32_t *num)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, key, &count);

    *out = list != NULL ? ork_json_reader_room(in, count, sizeof(**out)) : NULL;
    *num = *out != NULL ? count : 0;
    for (uint32_t i = 0; i < *num; i++)
        read_set(in, key, json_array_get(list, i), &(*out)[i]);
}

void ork_json_reader_get_texts(struct ork_json_reader *in, const json_t *o, const char *key,
                               char ***out, uint32_t *num)
{
    uint32_t count;
    const json_t *list = ork_json_reader_get_list(in, o, key, &count);

    *out = list != NULL ? ork_json_reader_room(in, count, sizeof(**out)) : NULL;
    *num = *out != NULL ? count : 0;
    for (uint32_t i = 0; i < *num; i++) {
        const json_t *text = json_array_get(list, i);
        if (json_is_string(text))
            (*out)[i] = copy(in, json_string_value(text));
        else
            ork_json_reader_refuse(in, "\"%s\" must hold strings", key);
    }
}

const json_t *ork_json_reader_object(struct ork_json_reader *in, const char *key,
                                     const json_t *value)
{
    if (!json_is_object(value))
        ork_json_reader_refuse(in, "\"%s\" needs an object here", key);
    return value;
}

size_t ork_json_reader_enter(struct ork_json_reader *in, const char *what, uint32_t i)
{
    size_t end = strlen(in->place);

    snprintf(in->place + end, sizeof(in->place) - end, "%s %" PRIu32 ": ", what, i + 1);
    return end;
}

json_t *ork_json_reader_load(struct ork_json_reader *in, const char *text, size_t size)
{
    json_error_t error;
    json_t *value = json_loadb(text, size, 0, &error);

    if (value != NULL)
        return value;
    if (json_error_code(&error) == json_error_out_of_memory)
        in->status = ORK_NOMEM;
    char *reason = ork_utf8_clean(error.text);
    ork_json_reader_refuse(in, "line %d is not JSON: %s", error.line, reason != NULL ? reason : "");
    free(reason);
    return NULL;
}

void ork_json_reader_get_place(struct ork_json_reader *in, const json_t *o, struct ork_where *out)
{
    ork_json_reader_get_text(in, o, "function", &out->function);
    ork_json_reader_get_text(in, o, "file", &out->file);
    out->line = ork_json_reader_get_u32(in, o, "line");
    ork_json_reader_get_text(in, o, "module", &out->module);
    out->offset = ork_json_reader_get_u64(in, o, "offset");
    out->inlined = ork_json_reader_get_bool(in, o, "inlined", false);
}

void ork_json_reader_get_match_end(struct ork_json_reader *in, const json_t *decision,
                                   const char *key, struct ork_match_end *out)
{
    const json_t *o = ork_json_reader_value(in, decision, key);

    if (o == NULL)
        return;
    ork_json_reader_object(in, key, o);
    out->rank = ork_json_reader_get_u32(in, o, "rank");
    ork_json_reader_get_word(in, o, "call", "", &out->call);
    const json_t *where = ork_json_reader_value(in, o, "where");
    if (where != NULL)
        ork_json_reader_get_place(in, ork_json_reader_object(in, "where", where), &out->where);
}

void ork_json_reader_get_runs(struct ork_json_reader *in, const json_t *o, const char *key,
                              struct ork_rank_run **run, uint32_t *num_runs)
{
    char *text = NULL;

    ork_json_reader_get_text(in, o, key, &text);
    enum ork_status status = text != NULL ? ork_runs_from_text(text, run, num_runs) : ORK_OK;
    if (status == ORK_INVALID)
        ork_json_reader_refuse(in, "\"%s\" must be like \"0-9998/2, 9999\"", key);
    else if (status != ORK_OK && in->status == ORK_OK)
        in->status = status;
    free(text);
}
