/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/here.h"

#include "mustrun/launcher/env.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

bool ork_here_is_host(const char *name)
{
    static const char *const loopback[] = {"localhost", "127.0.0.1", "::1"};
    char own[HOST_NAME_MAX + 1] = "";

    for (size_t i = 0; i < sizeof(loopback) / sizeof(loopback[0]); i++) {
        if (strcmp(name, loopback[i]) == 0)
            return true;
    }
    if (gethostname(own, sizeof(own) - 1) != 0 || own[0] == '\0')
        return false;
    if (strcmp(name, own) == 0)
        return true;
    /* RATIONALE: with two domains they are two hosts. */
    size_t length = strcspn(own, ".");
    return (own[length] == '\0' || strchr(name, '.') == NULL) && strcspn(name, ".") == length &&
           strncmp(name, own, length) == 0;
}

/* RATIONALE: both names are Slurm's, whatever the host calls itself. The first is set on nodes of
 * an allocation only; a shell may have inherited it from another one. */
bool ork_here_is_allocated(char *const *environment)
{
    const char *own = ork_env_get(environment, "SLURMD_NODENAME");
    const char *all = ork_env_get(environment, "SLURM_JOB_NODELIST");

    return own != NULL && all != NULL && strcmp(own, all) == 0;
}
