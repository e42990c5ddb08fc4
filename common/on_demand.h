/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are opened when one of their functions is first called: cmake/OrkOnDemand.cmake.
 */
#ifndef ORK_ON_DEMAND_H
#define ORK_ON_DEMAND_H

/* The address of a function in a library, which is opened and stays open. Only the stubs call this:
 * the process ends if it is not there, with a line on stderr, as if the loader had missed it at the
 * start. */
void *ork_on_demand_find(const char *library, const char *function);

#endif
