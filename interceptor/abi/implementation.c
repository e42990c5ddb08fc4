/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/abi/implementation.h"

#include "interceptor/preload/preload.h"

#include <string.h>

bool ork_abi_is_openmpi(void)
{
    static const char begin[] = "Open MPI";
    char version[64];

    ork_preload_version(version, sizeof(version));
    return strncmp(version, begin, sizeof(begin) - 1) == 0;
}
