/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORK_EXPLORE_MATCHES_INTERNAL_H
#define ORK_EXPLORE_MATCHES_INTERNAL_H

#include "order/causality/causality.h"
#include "order/explore/matches.h"

#include <jansson.h>

/* Add the matches of a run to the line of the run in its file of alternatives: "matches", a list of
 * [rank, number, call, site, sender, call of the sender, site of the sender], the sender -1: none,
 * and "places", a list of [rank, site, function, file, line, module, offset], sorted. ORK_NOMEM. */
enum ork_status ork_matches_put(const struct ork_causality *c, struct ork_call_places places,
                                json_t *line);

#endif
