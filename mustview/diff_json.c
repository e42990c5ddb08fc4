/* SPDX-License-Identifier: BSD-3-Clause */
/* Schema 1 of the section on differences in docs/reference/json.md. jansson takes ownership of each
 * value even when it fails; failures are noted, and then nothing is written. */
#include "mustview/diff.h"

#include "report/enum_names.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct writing {
    const struct ork_diff *diff;
    bool failed;
};

static void put(struct writing *w, json_t *object, const char *key, json_t *value)
{
    w->failed |= json_object_set_new(object, key, value) != 0;
}

static void append(struct writing *w, json_t *array, json_t *value)
{
    w->failed |= json_array_append_new(array, value) != 0;
}

static json_t *text_value(const char *s)
{
    return s != NULL ? json_string(s) : json_null();
}

static json_t *both(struct writing *w, const char *before, const char *after)
{
    json_t *o = json_object();

    put(w, o, "before", text_value(before));
    put(w, o, "after", text_value(after));
    return o;
}

static json_t *move_value(struct writing *w, const struct ork_diff_move *move)
{
    json_t *o = json_object();
    json_t *ranks = json_array();

    for (uint32_t i = 0; i < move->ranks.count; i++)
        append(w, ranks, json_integer(move->ranks.item[i]));
    put(w, o, "ranks", ranks);
    put(w, o, "before", text_value(move->before));
    put(w, o, "after", text_value(move->after));
    return o;
}

static json_t *changes_value(struct writing *w, const struct ork_diff_finding *f)
{
    const struct ork_finding *old = &w->diff->before->finding[f->before];
    const struct ork_finding *new = &w->diff->after->finding[f->after];
    json_t *o = json_object();
    json_t *moves = json_array();

    if (f->class_)
        put(w, o, "class", both(w, ork_class_word(old->class_), ork_class_word(new->class_)));
    if (f->severity)
        put(w, o, "severity",
            both(w, ork_severity_word(old->severity), ork_severity_word(new->severity)));
    if (f->message)
        put(w, o, "message", both(w, old->message, new->message));
    for (uint32_t i = 0; i < f->num_moves; i++)
        append(w, moves, move_value(w, &f->move[i]));
    put(w, o, "ranks", moves);
    return o;
}

static const char *state_word(const struct ork_diff_finding *f)
{
    if (f->before == ORK_DIFF_NONE)
        return "appeared";
    if (f->after == ORK_DIFF_NONE)
        return "disappeared";
    return ork_diff_is_changed(f) ? "changed" : "stayed";
}

static json_t *number_value(uint32_t index)
{
    return index != ORK_DIFF_NONE ? json_integer((json_int_t)index + 1) : json_null();
}

static json_t *finding_value(struct writing *w, const struct ork_diff_finding *f)
{
    const struct ork_finding *shown = f->after != ORK_DIFF_NONE
                                          ? &w->diff->after->finding[f->after]
                                          : &w->diff->before->finding[f->before];
    json_t *o = json_object();

    put(w, o, "state", json_string(state_word(f)));
    put(w, o, "before", number_value(f->before));
    put(w, o, "after", number_value(f->after));
    put(w, o, "id", text_value(shown->id));
    put(w, o, "class", text_value(ork_class_word(shown->class_)));
    put(w, o, "severity", json_string(ork_severity_word(shown->severity)));
    put(w, o, "message", text_value(shown->message));
    if (f->before != ORK_DIFF_NONE && f->after != ORK_DIFF_NONE)
        put(w, o, "changes", changes_value(w, f));
    return o;
}

enum ork_status ork_diff_to_json(const struct ork_diff *diff, char **text)
{
    struct writing w = {.diff = diff};
    json_t *o = json_object();
    json_t *findings = json_array();

    put(&w, o, "schema", json_integer(1));
    put(&w, o, "equal", json_boolean(ork_diff_is_equal(diff)));
    for (uint32_t i = 0; i < diff->num_findings; i++)
        append(&w, findings, finding_value(&w, &diff->finding[i]));
    put(&w, o, "findings", findings);
    char *dump = w.failed ? NULL : json_dumps(o, JSON_INDENT(2));
    json_decref(o);
    if (dump == NULL)
        return ORK_NOMEM;
    *text = NULL;
    int n = asprintf(text, "%s\n", dump);
    free(dump);
    return n < 0 ? ORK_NOMEM : ORK_OK;
}
