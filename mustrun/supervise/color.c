/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ork_color_is_wanted(const struct ork_options *options)
{
    const char *no = getenv("NO_COLOR");

    if (strcmp(options->color, "auto") != 0)
        return strcmp(options->color, "always") == 0;
    return isatty(STDERR_FILENO) && (no == NULL || no[0] == '\0');
}
