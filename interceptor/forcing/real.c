/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/real.h"

ork_function ork_real[ORK_CALL_MAX];
MPI_Comm ork_silent = MPI_COMM_NULL;

void ork_impose(enum ork_call_id id, const char *symbol, ork_function imposed)
{
    ork_real[id] = ork_next(id, symbol);
    atomic_store(&ork_next_table[id], imposed);
}

void ork_silent_init(void)
{
    ORK_NEXT(MPI_Comm_dup)(MPI_COMM_SELF, &ork_silent);
}
