/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables that launchers set, whichever MPI library the program has. */
#include "interceptor/preload/preload.h"

#include <stdlib.h>

uint32_t ork_preload_launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]);
        if (value != NULL)
            return (uint32_t)strtoul(value, NULL, 10);
    }
    return 0;
}
