/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of arguments that must be the same at all ranks of a collective call. */
#include "record/agreed.h"

#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"

/* The names of the bits that are set. */
static const char *bits_words(struct ork_writing *w, uint64_t bits, const char *const *name,
                              unsigned n)
{
    const char *text = "";

    for (unsigned i = 0; i < n; i++)
        text = (bits >> i & 1) != 0 ? ork_join(w, text, " | ", name[i]) : text;
    return text[0] != '\0' ? text : ork_plain(SAYS_NONE);
}

static const char *modes_words(struct ork_writing *w, uint64_t bits)
{
    static const char *const name[] = {
#define ORK_AMODE(name_, bit) [bit] = "MPI_MODE_" #name_,
#include "record/amodes.def"
#undef ORK_AMODE
    };

    return bits_words(w, bits, name, sizeof(name) / sizeof(name[0]));
}

static const char *assertions_words(struct ork_writing *w, uint64_t bits)
{
    static const char *const name[] = {"MPI_MODE_NOPRECEDE", "MPI_MODE_NOSUCCEED"};

    return bits_words(w, bits, name, sizeof(name) / sizeof(name[0]));
}

/* "2 x 3". RATIONALE: the number of dimensions is a value of its own, and dimensions that are not
 * there are 0. */
static const char *dimensions_words(struct ork_writing *w, uint64_t packed)
{
    unsigned dim[ORK_AGREED_DIMS_MAX], n = 1;

    for (unsigned i = 0; i < ORK_AGREED_DIMS_MAX; i++) {
        dim[i] = packed >> i * ORK_AGREED_DIM_BITS & ((1u << ORK_AGREED_DIM_BITS) - 1);
        n = dim[i] != 0 ? i + 1 : n;
    }
    const char *text = "";
    for (unsigned i = 0; i < n; i++)
        text = ork_join(w, text, " x ", ork_writing_keep(w, ork_text("%u", dim[i])));
    return text;
}

static const char *group_words(struct ork_writing *w, uint64_t group, bool is_other)
{
    unsigned size = group & ((1u << ORK_AGREED_GROUP_BITS) - 1);

    return size == 0 ? ork_plain(SAYS_VALUE_GROUP_EMPTY)
                     : ork_say(w, SAYS_VALUE_GROUP, NUMBER('i', is_other), NUMBER('n', size));
}

static const char *word_of(uint64_t value, const char *const *word, unsigned n)
{
    return value < n ? word[value] : ork_plain(SAYS_VALUE_OTHER);
}

const char *ork_describe_agreed(struct ork_writing *w, const struct ork_record *call, unsigned i,
                                bool is_other)
{
    static const char *const whence[] = {"MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"};
    static const char *const datarep[] = {"native", "internal", "external32"};
    enum ork_agreed_form form = ork_agreed_argument(call->mode, i)->form;
    uint64_t value = ork_agreed_value(call, i);
    int64_t number = (int64_t)value >> 1;

    if (value == 0)
        return ork_plain(SAYS_ANY);
    switch (form) {
    case ORK_AGREED_NUMBER:
        return ork_writing_keep(w, ork_text("%lld", (long long)number));
    case ORK_AGREED_LOGICAL:
        return ork_plain(number != 0 ? SAYS_VALUE_TRUE : SAYS_VALUE_FALSE);
    case ORK_AGREED_MODES:
        return modes_words(w, (uint64_t)number);
    case ORK_AGREED_ASSERTIONS:
        return assertions_words(w, (uint64_t)number);
    case ORK_AGREED_WHENCE:
        return word_of((uint64_t)number, whence, sizeof(whence) / sizeof(whence[0]));
    case ORK_AGREED_DATAREP:
        return word_of((uint64_t)number, datarep, sizeof(datarep) / sizeof(datarep[0]));
    case ORK_AGREED_WEIGHTED:
        return number != 0 ? ork_plain(SAYS_VALUE_WEIGHTS) : "MPI_UNWEIGHTED";
    case ORK_AGREED_GROUP:
        return group_words(w, (uint64_t)number, is_other);
    case ORK_AGREED_DIMENSIONS:
        if ((value & ORK_AGREED_IS_HASH) == 0)
            return dimensions_words(w, (uint64_t)number);
        break;
    case ORK_AGREED_LIST:
        break;
    }
    return ork_plain(is_other ? SAYS_VALUE_LIST_OTHER : SAYS_VALUE_LIST);
}
