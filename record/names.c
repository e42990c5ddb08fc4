/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/record.h"

const char *ork_kind_name(unsigned kind)
{
    static const char *const name[] = {
#define ORK_KIND(name) #name,
#include "record/kinds.def"
#undef ORK_KIND
    };
    return kind < ORK_KIND_MAX ? name[kind] : "?";
}

const char *ork_coll_name(unsigned coll)
{
    static const char *const name[] = {
#define ORK_COLL(name, spelling) spelling,
#include "record/colls.def"
#undef ORK_COLL
    };
    return coll < ORK_COLL_MAX ? name[coll] : "?";
}
