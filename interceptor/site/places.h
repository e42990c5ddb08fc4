/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of call sites: equal in each run of the program, which their numbers are not. */
#ifndef ORK_PLACES_H
#define ORK_PLACES_H

#include <stdint.h>

/* The place of a call site for ork_choice_place(). The lock of the sites is held. */
void ork_choice_add_site(uint32_t site, const char *name, uint64_t position);
uint32_t ork_choice_place_of(uint32_t site);

#endif
