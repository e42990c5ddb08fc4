/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/record.h"

const char *ork_kind_name(unsigned kind)
{
    static const char *const name[] = {
#define ORK_KIND(name, type, traits) #name,
#include "record/kinds.def"
#undef ORK_KIND
    };
    return kind < ORK_KIND_MAX ? name[kind] : "?";
}

const char *ork_coll_name(unsigned coll)
{
    static const char *const name[] = {
#define ORK_COLL(name, spelling, traits, needs, early, exchange) spelling,
#include "record/colls.def"
#undef ORK_COLL
    };
    return coll < ORK_COLL_MAX ? name[coll] : "?";
}

enum ork_coll_needs ork_coll_needs(unsigned coll)
{
    static const uint8_t needs[ORK_COLL_MAX] = {
#define ORK_COLL(name, spelling, traits, needs_, early, exchange) ORK_NEEDS_##needs_,
#include "record/colls.def"
#undef ORK_COLL
    };

    return coll < ORK_COLL_MAX ? (enum ork_coll_needs)needs[coll] : ORK_NEEDS_NOTHING;
}

enum ork_coll_early ork_coll_early(unsigned coll)
{
    static const uint8_t early[ORK_COLL_MAX] = {
#define ORK_COLL(name, spelling, traits, needs, early_, exchange) ORK_EARLY_##early_,
#include "record/colls.def"
#undef ORK_COLL
    };

    return coll < ORK_COLL_MAX ? (enum ork_coll_early)early[coll] : ORK_EARLY_NEVER;
}
