/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/units.h"

#include <stdlib.h>
#include <string.h>

bool ork_number_read(const char *text, size_t length, uint64_t max, uint64_t *out)
{
    uint64_t number = 0;

    if (length == 0 || strspn(text, "0123456789") < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (digit > max || number > (max - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}

bool ork_unit_seconds(const char *text, double *out)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1},   {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},
                 {"m", 60}, {"h", 3600},  {"d", 86400}};
    size_t length = strspn(text, "0123456789.");
    char number[64], *end;

    if (length == 0 || length >= sizeof(number))
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    double value = strtod(number, &end);
    for (size_t i = 0; *end == '\0' && i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(text + length, units[i].name) != 0)
            continue;
        *out = value * units[i].seconds;
        return true;
    }
    return false;
}

bool ork_unit_bytes(const char *text, uint64_t unit, uint64_t *out)
{
    static const char names[] = "KMGT";
    size_t length = strspn(text, "0123456789");
    const char *name = text + length;
    uint64_t number;

    if (*name != '\0') {
        const char *at = strchr(names, *name);
        if (at == NULL || name[1] != '\0')
            return false;
        unit = UINT64_C(1024) << 10 * (at - names);
    }
    if (!ork_number_read(text, length, UINT64_MAX / unit, &number))
        return false;
    *out = number * unit;
    return true;
}
