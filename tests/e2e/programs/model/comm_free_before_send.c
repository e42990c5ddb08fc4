/* SPDX-License-Identifier: BSD-3-Clause */
/* By default, freeing a communicator waits for nobody.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 7
 */
#include "strictest_comm_free_before_send.c"
