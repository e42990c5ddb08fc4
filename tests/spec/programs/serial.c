/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-in for a program of a benchmark that does not use MPI, as the two of 128.GAPgeofem that cut
 * the mesh. */
#include <stdio.h>

int main(void)
{
    puts("a mesh");
    return 0;
}
