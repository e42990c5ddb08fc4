/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/failing.h"

#include "report/enum_names.h"
#include "report/finding_kind.h"

#include <string.h>

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* "ID" or "ID:CLASS" */
static bool is_kind(const char *word, size_t length, const char *id, enum ork_class class_)
{
    size_t size = strlen(id);
    const char *name = ork_class_word(class_);

    if (is_word(word, length, id))
        return true;
    return name != NULL && length > size && memcmp(word, id, size) == 0 && word[size] == ':' &&
           is_word(word + size + 1, length - size - 1, name);
}

/* The word behind this one; NULL: it was the last. */
static const char *next(const char *word, size_t length)
{
    return word[length] == ',' ? word + length + 1 : NULL;
}

static bool is_known(const char *word, size_t length)
{
    static const char *const general[] = {"errors", "warnings", "none", ORK_NOT_CHECKED};
    size_t count;
    const struct ork_finding_kind *kind = ork_finding_kinds(&count);

    for (size_t i = 0; i < sizeof(general) / sizeof(general[0]); i++)
        if (is_word(word, length, general[i]))
            return true;
    for (size_t i = 0; i < count; i++)
        if (is_kind(word, length, kind[i].id, kind[i].class_))
            return true;
    return false;
}

const char *ork_failing_unknown(const char *list, size_t *length)
{
    for (const char *word = list; word != NULL; word = next(word, *length)) {
        *length = strcspn(word, ",");
        if (!is_known(word, *length))
            return word;
    }
    return NULL;
}

bool ork_failing_has(const char *list, const char *id, enum ork_class class_,
                     enum ork_severity severity)
{
    size_t length;

    for (const char *word = list; word != NULL; word = next(word, length)) {
        length = strcspn(word, ",");
        if (is_kind(word, length, id, class_) ||
            (severity == ORK_ERROR && is_word(word, length, "errors")) ||
            (severity != ORK_NOTE && is_word(word, length, "warnings")))
            return true;
    }
    return false;
}

bool ork_failing_names(const char *list, const char *wanted)
{
    size_t length;

    for (const char *word = list; word != NULL; word = next(word, length)) {
        length = strcspn(word, ",");
        if (is_word(word, length, wanted))
            return true;
    }
    return false;
}
