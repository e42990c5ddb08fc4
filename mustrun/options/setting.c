/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/setting.h"

#include "mustrun/options/units.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum ork_status ork_setting_refuse(char *error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error, ORK_OPTIONS_ERROR, format, args);
    va_end(args);
    return ORK_INVALID;
}

void ork_setting_append(char *list, size_t size, const char *format, ...)
{
    size_t length = strlen(list);
    va_list args;

    va_start(args, format);
    vsnprintf(list + length, size - length, format, args);
    va_end(args);
}

static enum ork_status parse_number(const struct setting *setting, long min, long max, long *out)
{
    char *end = NULL;

    errno = 0;
    long value = strtol(setting->value, &end, 10);
    if (errno != 0 || end == setting->value || *end != '\0' || value < min || value > max)
        return ork_setting_refuse(setting->error, "%s: \"%.100s\" is not a number from %ld to %ld",
                                  setting->origin, setting->value, min, max);
    *out = value;
    return ORK_OK;
}

enum ork_status ork_setting_text(const struct setting *setting, const char **out)
{
    if (setting->value[0] == '\0')
        return ork_setting_refuse(setting->error, "%s: the value is empty", setting->origin);
    *out = setting->value;
    return ORK_OK;
}

enum ork_status ork_setting_flag(const struct setting *setting, bool *out)
{
    const char *value = setting->value;

    if (strcmp(value, "1") == 0)
        *out = true;
    else if (strcmp(value, "0") == 0 || value[0] == '\0')
        *out = false;
    else
        return ork_setting_refuse(setting->error, "%s: \"%.100s\" is neither 0 nor 1",
                                  setting->origin, value);
    return ORK_OK;
}

enum ork_status ork_setting_seconds(const struct setting *setting, double max, double *out)
{
    double seconds;

    if (!ork_unit_seconds(setting->value, &seconds) || seconds > max)
        return ork_setting_refuse(
            setting->error,
            "%s: \"%.100s\" is not a number of seconds from 0 to %.0f, or one with a unit like 5m",
            setting->origin, setting->value, max);
    *out = seconds;
    return ORK_OK;
}

enum ork_status ork_setting_whole_seconds(const struct setting *setting, long min, long max,
                                          unsigned *out)
{
    double seconds;

    if (!ork_unit_seconds(setting->value, &seconds) || seconds < (double)min ||
        seconds > (double)max || seconds != (double)(unsigned)seconds)
        return ork_setting_refuse(
            setting->error,
            "%s: \"%.100s\" is not a whole number of seconds from %ld to %ld, "
            "or one with a unit like 5m",
            setting->origin, setting->value, min, max);
    *out = (unsigned)seconds;
    return ORK_OK;
}

enum ork_status ork_setting_unsigned(const struct setting *setting, long min, long max,
                                     unsigned *out)
{
    long number = 0;
    enum ork_status status = parse_number(setting, min, max, &number);

    if (status == ORK_OK)
        *out = (unsigned)number;
    return status;
}
