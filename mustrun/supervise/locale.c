/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/locale.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool ork_locale_is_utf8(void)
{
    static const char *const variable[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL;

    for (size_t i = 0; i < sizeof(variable) / sizeof(variable[0]); i++) {
        if (value == NULL || value[0] == '\0')
            value = getenv(variable[i]);
    }
    const char *code = value != NULL ? strchr(value, '.') : NULL;
    return code != NULL &&
           (strncasecmp(code, ".UTF-8", 6) == 0 || strncasecmp(code, ".UTF8", 5) == 0);
}
