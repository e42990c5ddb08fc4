/* SPDX-License-Identifier: BSD-3-Clause */
/* What the list of launchers says of one. */
#include "mustrun/launcher/launcher.h"

#include <signal.h>

static const struct ork_launcher_facts facts[] = {
#define ORK_LAUNCHER_KIND(id, name, family, variable, more, rank, size, signal)                    \
    [ORK_LAUNCHER_##id] = {name, family, variable, more, rank, size, signal},
#include "mustrun/launcher/kinds.def"
#undef ORK_LAUNCHER_KIND
};

const struct ork_launcher_facts *ork_launcher_facts(const struct ork_launcher *launcher)
{
    return &facts[launcher->kind];
}

int ork_launcher_signal(const struct ork_launcher *launcher, int code)
{
    static const int deadly[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV};
    const int base = facts[launcher->kind].signal;

    for (size_t i = 0; base == 0 && i < sizeof(deadly) / sizeof(deadly[0]); i++)
        if (code == deadly[i])
            return code;
    return base != 0 && code > base && code - base <= SIGRTMAX ? code - base : 0;
}
