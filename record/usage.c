/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/usage.h"

#include <string.h>

static const struct ork_usage_kind kinds[] = {
#define ORK_USAGE(name, id, severity, section, headline, rule)                                     \
    {id, ORK_USAGE_##severity, section, headline, rule, false},
#define ORK_USAGE_OF_BUFFER(name, id, severity, section, headline, rule)                           \
    {id, ORK_USAGE_##severity, section, headline, rule, true},
#include "record/usage.def"
#undef ORK_USAGE
};

const struct ork_usage_kind *ork_usage_kind(unsigned id)
{
    return id < ORK_USAGE_MAX ? &kinds[id] : NULL;
}

bool ork_usage_keeps_call(unsigned id)
{
    static const bool keeps[ORK_USAGE_MAX] = {
        [ORK_USAGE_PEER] = true,
        [ORK_USAGE_ROOT] = true,
        [ORK_USAGE_TARGET] = true,
        [ORK_USAGE_NULL_HANDLE] = true,
        [ORK_USAGE_FREED_HANDLE] = true,
        [ORK_USAGE_NULL_BUFFER] = true,
        [ORK_USAGE_REQUEST_STALE] = true,
        [ORK_USAGE_EPOCH_IS_LOCKED] = true,
        [ORK_USAGE_EPOCH_IS_EXPOSED] = true,
        [ORK_USAGE_EPOCH_EXPOSES_LOCKED] = true,
        [ORK_USAGE_EPOCH_NOT_STARTED] = true,
        [ORK_USAGE_EPOCH_NOT_POSTED] = true,
        [ORK_USAGE_EPOCH_NOT_LOCKED] = true,
        [ORK_USAGE_EPOCH_NOT_ALL_LOCKED] = true,
        [ORK_USAGE_EPOCH_NONE] = true,
        [ORK_USAGE_EPOCH_NOT_ADMITTED] = true,
        [ORK_USAGE_EPOCH_NO_FLUSH] = true,
        [ORK_USAGE_EPOCH_NO_TARGET_FLUSH] = true,
        [ORK_USAGE_FILE_NOT_BEGUN] = true,
    };

    return id < ORK_USAGE_MAX && keeps[id];
}

bool ork_usage_is_leak(unsigned id)
{
    static const bool leaks[ORK_USAGE_MAX] = {
        [ORK_USAGE_HANDLE_LEAK] = true,  [ORK_USAGE_FILE_LEAK] = true,
        [ORK_USAGE_SMALL_LEAK] = true,   [ORK_USAGE_MESSAGE_LEAK] = true,
        [ORK_USAGE_REQUEST_LEAK] = true, [ORK_USAGE_PERSISTENT_LEAK] = true,
    };

    return id < ORK_USAGE_MAX && leaks[id];
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Is there a check of this id? If so, switch on all of them. */
static bool switch_on(const char *id, size_t length, bool is_on[ORK_USAGE_MAX])
{
    bool any = false;

    for (unsigned i = 0; i < ORK_USAGE_MAX; i++) {
        bool same = is_word(id, length, kinds[i].id);
        is_on[i] |= same;
        any |= same;
    }
    return any;
}

bool ork_usage_choose(const char *list, bool is_on[ORK_USAGE_MAX], const char **unknown,
                      size_t *length)
{
    bool is_all = strcmp(list, "all") == 0;

    for (unsigned i = 0; i < ORK_USAGE_MAX; i++)
        is_on[i] = is_all;
    if (is_all || strcmp(list, "none") == 0)
        return true;
    for (const char *word = list;; word += *length + 1) {
        *unknown = word;
        *length = strcspn(word, ",");
        if (!switch_on(word, *length, is_on))
            return false;
        if (word[*length] == '\0')
            return true;
    }
}
