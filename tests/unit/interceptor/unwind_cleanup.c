/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with exceptions. */
#include "unwind_cleanup.h"

static volatile int sink;

static void clean(const int *value)
{
    sink += *value;
}

void unwind_with_cleanup(void (*inner)(void))
{
    __attribute__((cleanup(clean))) int value = 1;

    inner();
    value++;
}
