/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/list.h"

#include "common/text.h"
#include "mustrun/launcher/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRELOAD "LD_PRELOAD"

/* One entry of the user's list; LD_PRELOAD gets the interceptor first. */
static bool write_entry(FILE *out, const char *entry, const char *interceptor, const char *own)
{
    if (strcmp(entry, PRELOAD) != 0 && !ork_env_is(entry, PRELOAD)) {
        fprintf(out, "%s;", entry);
        return false;
    }
    char *preload = ork_env_preload(
        interceptor, entry[strlen(PRELOAD)] == '=' ? entry + strlen(PRELOAD) + 1 : own);

    fprintf(out, PRELOAD "=%s;", preload != NULL ? preload : interceptor);
    free(preload);
    return true;
}

static void write_list(FILE *out, char *list, const char *interceptor, const char *own,
                       const struct ork_argv *settings)
{
    bool preloaded = false;

    for (char *entry = strsep(&list, ";"); entry != NULL; entry = strsep(&list, ";")) {
        if (entry[0] != '\0' && write_entry(out, entry, interceptor, own))
            preloaded = true;
    }
    if (!preloaded)
        write_entry(out, PRELOAD, interceptor, own);
    fputs(ORK_ENV_OURS, out);
    for (size_t i = 0; i < settings->count; i++)
        fprintf(out, ";%s", settings->item[i]);
}

char *ork_env_list(const char *list, const char *interceptor, const char *own,
                   const struct ork_argv *settings)
{
    char *copy = strdup(list);
    struct ork_text_stream stream = {.out = NULL};
    FILE *out = copy != NULL ? ork_text_open(&stream) : NULL;

    if (out != NULL)
        write_list(out, copy, interceptor, own, settings);
    free(copy);
    return ork_text_close(&stream);
}
