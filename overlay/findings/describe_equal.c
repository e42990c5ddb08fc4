/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of arguments that must be the same at all ranks of a collective call. */
#include "record/equal.h"

#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of the bits that are set. */
static char *bits_words(uint64_t bits, const char *const *name, unsigned n)
{
    char *text = NULL;
    size_t size;
    FILE *out = bits == 0 ? NULL : open_memstream(&text, &size);

    if (out == NULL)
        return bits == 0 ? strdup("none") : NULL;
    for (unsigned i = 0; i < n; i++) {
        if ((bits >> i & 1) != 0)
            fprintf(out, "%s%s", (bits & ((UINT64_C(1) << i) - 1)) != 0 ? " | " : "", name[i]);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static char *modes_words(uint64_t bits)
{
    static const char *const name[] = {
#define ORK_AMODE(name_, bit) [bit] = "MPI_MODE_" #name_,
#include "record/amodes.def"
#undef ORK_AMODE
    };

    return bits_words(bits, name, sizeof(name) / sizeof(name[0]));
}

static char *assertions_words(uint64_t bits)
{
    static const char *const name[] = {"MPI_MODE_NOPRECEDE", "MPI_MODE_NOSUCCEED"};

    return bits_words(bits, name, sizeof(name) / sizeof(name[0]));
}

/* RATIONALE: the number of dimensions is a value of its own, and dimensions that are not there are
 * 0. */
static char *dimensions_words(uint64_t packed)
{
    unsigned dim[ORK_EQUAL_DIMS_MAX], n = 0;

    for (unsigned i = 0; i < ORK_EQUAL_DIMS_MAX; i++) {
        dim[i] = packed >> i * ORK_EQUAL_DIM_BITS & ((1u << ORK_EQUAL_DIM_BITS) - 1);
        n = dim[i] != 0 ? i + 1 : n;
    }
    return n == 1   ? ork_text("%u", dim[0])
           : n == 2 ? ork_text("%u x %u", dim[0], dim[1])
           : n == 3 ? ork_text("%u x %u x %u", dim[0], dim[1], dim[2])
                    : ork_text("%u x %u x %u x %u", dim[0], dim[1], dim[2], dim[3]);
}

static char *group_words(uint64_t group, const char *article)
{
    unsigned size = group & ((1u << ORK_EQUAL_GROUP_BITS) - 1);

    return size == 0
               ? strdup("the empty group")
               : ork_text("%s group of %u %s", article, size, size == 1 ? "process" : "processes");
}

static const char *word_of(uint64_t value, const char *const *word, unsigned n)
{
    return value < n ? word[value] : "another one";
}

char *ork_describe_equal(const struct ork_record *call, unsigned i, bool is_other)
{
    static const char *const whence[] = {"MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"};
    static const char *const datarep[] = {"native", "internal", "external32"};
    enum ork_equal_form form = ork_equal_argument(call->mode, i)->form;
    uint64_t value = ork_equal_value(call, i);
    int64_t number = (int64_t)value >> 1;

    if (value == 0)
        return strdup("any");
    switch (form) {
    case ORK_EQUAL_NUMBER:
        return ork_text("%lld", (long long)number);
    case ORK_EQUAL_LOGICAL:
        return strdup(number != 0 ? "true" : "false");
    case ORK_EQUAL_MODES:
        return modes_words((uint64_t)number);
    case ORK_EQUAL_ASSERTIONS:
        return assertions_words((uint64_t)number);
    case ORK_EQUAL_WHENCE:
        return strdup(word_of((uint64_t)number, whence, sizeof(whence) / sizeof(whence[0])));
    case ORK_EQUAL_DATAREP:
        return strdup(word_of((uint64_t)number, datarep, sizeof(datarep) / sizeof(datarep[0])));
    case ORK_EQUAL_WEIGHTED:
        return strdup(number != 0 ? "weights" : "MPI_UNWEIGHTED");
    case ORK_EQUAL_GROUP:
        return group_words((uint64_t)number, is_other ? "another" : "a");
    case ORK_EQUAL_DIMENSIONS:
        if ((value & ORK_EQUAL_IS_HASH) == 0)
            return dimensions_words((uint64_t)number);
        break;
    case ORK_EQUAL_LIST:
        break;
    }
    return strdup(is_other ? "another list" : "one list");
}
