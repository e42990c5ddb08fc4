/* SPDX-License-Identifier: BSD-3-Clause */
/* Without the tool, the annotations do nothing. */
#include <orknot/memory.h>
#include <stdio.h>

int main(void)
{
    volatile int x = 3;

    orknot_memory_load(&x, sizeof(x));
    orknot_memory_store(&x, 1 << 30);
    orknot_memory_store(&x, 0);
    printf("%d\n", x);
    return 0;
}
