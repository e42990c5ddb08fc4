/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_value.h"

#include "report/escape.h"
#include "report/fold_runs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ork_json_put(json_t **object, const char *key, json_t *value)
{
    if (*object == NULL) {
        json_decref(value);
        return;
    }
    if (value != NULL && json_object_set_new(*object, key, value) == 0)
        return;
    json_decref(*object);
    *object = NULL;
}

void ork_json_append(json_t **array, json_t *value)
{
    if (*array == NULL) {
        json_decref(value);
        return;
    }
    if (value != NULL && json_array_append_new(*array, value) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

json_t *ork_json_text(const char *s)
{
    if (s == NULL)
        return json_null();
    json_t *value = json_string(s);
    if (value != NULL)
        return value;
    char *clean = ork_utf8_clean(s); /* it was not valid UTF-8 */
    if (clean == NULL)
        return NULL;
    value = json_string(clean);
    free(clean);
    return value;
}

json_t *ork_json_count(uint64_t n)
{
    return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

json_t *ork_json_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* "17" and "-1" as numbers; text that would not round-trip ("007", "1e3") as a string. */
json_t *ork_json_number_or_text(const char *s)
{
    if (s == NULL)
        return json_null();
    errno = 0;
    char *end;
    long long n = strtoll(s, &end, 10);
    char again[24];
    snprintf(again, sizeof(again), "%lld", n);
    if (errno == 0 && *end == '\0' && strcmp(s, again) == 0)
        return json_integer(n);
    return ork_json_text(s);
}

json_t *ork_json_ranks(const struct ork_u32s *set)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < set->count; i++)
        ork_json_append(&array, json_integer(set->item[i]));
    return array;
}

json_t *ork_json_texts(char *const *text, uint32_t count)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < count; i++)
        ork_json_append(&array, ork_json_text(text[i] != NULL ? text[i] : ""));
    return array;
}

/* Only the known keys. */
json_t *ork_json_place(const struct ork_where *where)
{
    json_t *o = json_object();

    if (where->function != NULL)
        ork_json_put(&o, "function", ork_json_text(where->function));
    if (where->file != NULL)
        ork_json_put(&o, "file", ork_json_text(where->file));
    if (where->line != 0)
        ork_json_put(&o, "line", json_integer(where->line));
    if (where->module != NULL)
        ork_json_put(&o, "module", ork_json_text(where->module));
    if (where->offset != 0)
        ork_json_put(&o, "offset", ork_json_count(where->offset));
    if (where->inlined)
        ork_json_put(&o, "inlined", json_true());
    return o;
}

json_t *ork_json_where(const struct ork_where *where)
{
    bool known = where->function != NULL || where->file != NULL || where->line != 0 ||
                 where->module != NULL || where->offset != 0;

    return known ? ork_json_place(where) : json_null();
}

/* As text: 10,000 ranks of a folded node are one line. */
json_t *ork_json_runs(const struct ork_rank_run *run, uint32_t num_runs)
{
    char *text = NULL;
    json_t *value = NULL;

    if (num_runs == 0)
        return json_null();
    if (ork_runs_to_text(run, num_runs, &text) == ORK_OK)
        value = json_string(text);
    free(text);
    return value;
}

json_t *ork_json_match_end(const struct ork_match_end *end)
{
    json_t *o = json_object();

    ork_json_put(&o, "rank", json_integer(end->rank));
    ork_json_put(&o, "call", ork_json_text(end->call != NULL ? end->call : ""));
    ork_json_put(&o, "where", ork_json_where(&end->where));
    return o;
}
