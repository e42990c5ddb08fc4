/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/agreed.h"

const struct ork_agreed_argument *ork_agreed_argument(unsigned coll, unsigned i)
{
    static const struct ork_agreed_argument argument[ORK_COLL_MAX][ORK_AGREED_MAX] = {
#define ORK_AGREED(coll_, i_, name_, section_, form_)                                              \
    [ORK_COLL_##coll_][i_] = {name_, section_, ORK_AGREED_##form_},
#include "generated/record/agreed.def"
#undef ORK_AGREED
    };

    return &argument[coll < ORK_COLL_MAX ? coll : ORK_COLL_NONE][i < ORK_AGREED_MAX ? i : 0];
}

uint64_t ork_agreed_value(const struct ork_record *record, unsigned i)
{
    if (ork_agreed_argument(record->mode, i)->name == NULL)
        return 0;
    switch (i) {
    case 0:
        return record->extra;
    case 1:
        return record->arg2;
    case 2:
        return (uint32_t)record->peer2;
    case 3:
        return (uint32_t)record->tag;
    default:
        return 0;
    }
}

unsigned ork_agreed_difference(const struct ork_record *a, const struct ork_record *b)
{
    unsigned i = 0;

    for (; i < ORK_AGREED_MAX; i++) {
        uint64_t x = ork_agreed_value(a, i), y = ork_agreed_value(b, i);
        if (x != y && x != 0 && y != 0)
            break;
    }
    return i;
}

bool ork_agreed_is_same(const struct ork_record *a, const struct ork_record *b)
{
    for (unsigned i = 0; i < ORK_AGREED_MAX; i++) {
        if (ork_agreed_value(a, i) != ork_agreed_value(b, i))
            return false;
    }
    return true;
}
