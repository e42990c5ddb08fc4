/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of an option with keys: KEY=VALUE,... An entry that begins with a digit belongs to the
 * value before it, so that a value can be a list of numbers: symmetric=1-3,7,loop=2. */
#include "mustrun/options/setting.h"

#include "common/suggest.h"

#include <string.h>

/* Length of the entry at the head of a list. */
static size_t entry_length(const char *list)
{
    size_t length = strcspn(list, ",");

    while (list[length] == ',' && list[length + 1] >= '0' && list[length + 1] <= '9')
        length += 1 + strcspn(list + length + 1, ",");
    return length;
}

/* What a key of this option stands for. */
static const char *noun_of(enum ork_option option)
{
    return option == ORK_OPTION_ON ? "event" : "bound";
}

static enum ork_status refuse_key(const struct setting *setting, const char *name, int length)
{
    const char *known[ORK_OPTION_MAX];
    char word[ORK_OPTION_NAME_MAX], list[ORK_OPTIONS_ERROR / 2] = "";
    const char *noun = noun_of(setting->id);
    size_t count = 0;

    for (unsigned id = 0; id < ORK_OPTION_MAX; id++) {
        if (id == setting->id || ork_option_texts[id].option != setting->id)
            continue;
        known[count++] = ork_option_texts[id].name;
        ork_setting_append(list, sizeof(list), "%s%s", count > 1 ? ", " : "",
                           ork_option_texts[id].name);
    }
    snprintf(word, sizeof(word), "%.*s", length, name);
    const char *near = known[ork_suggest(word, known, count)];
    if (3 * ork_edit_distance(word, near) <= strlen(near))
        return ork_setting_refuse(setting->error, "%s: no %s is called '%s'; did you mean '%s'?",
                                  setting->origin, noun, word, near);
    return ork_setting_refuse(setting->error, "%s: no %s is called '%s'; the %ss are %s",
                              setting->origin, noun, word, noun, list);
}

bool ork_setting_has_keys(enum ork_option id)
{
    unsigned key = 0;

    while (key < ORK_OPTION_MAX && (key == id || ork_option_texts[key].option != id))
        key++;
    return key < ORK_OPTION_MAX;
}

/* Read an entry of the list, which has `length` characters. */
static enum ork_status read_entry(const struct setting *list, const char *entry, size_t length,
                                  struct key_setting *out)
{
    size_t name = strcspn(entry, "=");

    if (name > length)
        name = length;
    enum ork_option id = ork_option_find_key(list->id, entry, name);
    if (id == ORK_OPTION_MAX)
        return refuse_key(list, entry, (int)name);
    const struct ork_option_text *text = &ork_option_texts[id];
    snprintf(out->origin, sizeof(out->origin), "%s %s", list->origin, text->name);
    if (name == length)
        return ork_setting_refuse(list->error, "%s needs a value: %s=%s", out->origin, text->name,
                                  text->arg);
    if (length - name > sizeof(out->value))
        return ork_setting_refuse(list->error, "%s: the value has more than %zu characters",
                                  out->origin, sizeof(out->value) - 1);
    snprintf(out->value, sizeof(out->value), "%.*s", (int)(length - name - 1), entry + name + 1);
    out->setting = (struct setting){.id = id,
                                    .origin = out->origin,
                                    .value = out->value,
                                    .typed = list->typed,
                                    .error = list->error};
    return ORK_OK;
}

enum ork_status ork_setting_next_key(const struct setting *list, const char **rest,
                                     struct key_setting *out)
{
    const char *entry = *rest;
    size_t length = entry_length(entry);

    if (list->value[0] == '\0')
        return ork_setting_refuse(list->error, "%s: the value is empty", list->origin);
    *rest = entry[length] != '\0' ? entry + length + 1 : NULL;
    return read_entry(list, entry, length, out);
}
