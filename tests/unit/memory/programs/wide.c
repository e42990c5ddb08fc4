/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations on 16 bytes. */
#include <stdatomic.h>
#include <stdio.h>

__extension__ typedef unsigned __int128 wide;

static _Atomic wide number;

int main(void)
{
    wide expected = 4;

    atomic_store(&number, (wide)1 << 100);
    atomic_fetch_add(&number, 4);
    if (!atomic_compare_exchange_strong(&number, &expected, 0))
        atomic_compare_exchange_strong(&number, &expected, expected * 2);
    printf("%llx %llx\n", (unsigned long long)(atomic_load(&number) >> 64),
           (unsigned long long)atomic_load(&number));
    return 0;
}
