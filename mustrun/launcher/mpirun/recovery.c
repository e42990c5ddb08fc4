/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/recovery.h"

#include <string.h>
#include <strings.h>

static bool is_given(const struct ork_argv *words, struct ork_context context,
                     const struct ork_extras *extras, const char *name)
{
    for (size_t i = context.first; i < context.program;
         i += 1 + ork_mpi_option_args(words->item[i], extras)) {
        if (ork_word_is(words->item[i], name))
            return true;
    }
    return false;
}

static bool is_no(const char *text)
{
    return strcasecmp(text, "no") == 0 || strcasecmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

/* In the list of --runtime-options: "recoverable", "continuous=1". RATIONALE: the beginning of a
 * name will do for prterun. */
static bool names_recovery(const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ","), name = strcspn(list, ",=");
        bool is_one = (name >= 3 && strncasecmp(list, "recoverable", name) == 0) ||
                      (name >= 3 && strncasecmp(list, "continuous", name) == 0);
        bool is_off = name < length && strchr("0fFnN", list[name + 1]) != NULL;
        if (is_one && !is_off)
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

static bool context_recovers(const struct ork_argv *words, struct ork_context context,
                             const struct ork_extras *extras)
{
    static const char *const lists[] = {"runtime-options", "rtos"};
    size_t ft = ork_mpi_find_option(words, context, extras, "with-ft", NULL);

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        size_t at = ork_mpi_find_option(words, context, extras, lists[i], NULL);
        if (at != 0 && names_recovery(words->item[at]))
            return true;
    }
    return (ft != 0 && !is_no(words->item[ft])) ||
           is_given(words, context, extras, "enable-recovery") ||
           is_given(words, context, extras, "continuous");
}

bool ork_mpi_recovers(const struct ork_argv *words, const struct ork_extras *extras)
{
    for (size_t first = 0; first < words->count;) {
        struct ork_context context = ork_mpi_context(words, first, extras);
        if (context_recovers(words, context, extras))
            return true;
        first = context.last + 1;
    }
    return false;
}
