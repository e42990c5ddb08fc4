/* SPDX-License-Identifier: BSD-3-Clause */
/* overlay/tool/net.h without MPI: all processes of a tree live in the test. What is under way arrives in
 * its order, but whenever chance wants; room comes and goes; processes die. */
#ifndef ORK_TEST_OVERLAY_FAKE_NET_H
#define ORK_TEST_OVERLAY_FAKE_NET_H

#include "overlay/tool/net.h"

/* The next `size` calls of ork_net_create() make processes 0 .. size - 1 of one job. */
void fake_net_begin(uint32_t size, uint64_t seed);
/* After all processes are destroyed. */
void fake_net_end(void);

/* From now on the process is dead to its neighbours, who may see it later. Its node is still to be
 * destroyed. */
void fake_net_kill(uint32_t process);
/* Signs of life and batches that went up so far. */
uint64_t fake_net_num_batches(void);

#endif
