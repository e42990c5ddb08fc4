/* SPDX-License-Identifier: BSD-3-Clause */
/* buffers_right.c with Open MPI's other implementation of files, if there is one.
 *
 * RANKS: 2
 * OPTIONS: --mca io ^ompio
 * EXPECT: clean
 * OUTPUT: right 12
 */
#include "buffers_right.c"
