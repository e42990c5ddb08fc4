/* SPDX-License-Identifier: BSD-3-Clause */
/* A call that can block, and polls instead: what it does between two polls. */
#ifndef ORK_PAUSE_H
#define ORK_PAUSE_H

struct ork_pause {
    unsigned yields;
    long sleep_ns;
    long long slept_ns; /* since the last sweep */
};

/* Yield, later sleep. Report the sources of wildcard receives that are complete (early.h): at once
 * if the leaf has asked for them, and now and then. */
void ork_pause_once(struct ork_pause *pause);

#endif
