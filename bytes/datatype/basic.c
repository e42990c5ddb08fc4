/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/datatype/basic.h"

struct row {
    const char *name;
    uint8_t kind, languages;
    uint8_t first, second; /* of a pair */
};

static const struct row rows[ORK_BASIC_MAX] = {
    [ORK_BASIC_NONE] = {"?", ORK_BASIC_IS_NOTHING, ORK_OF_ANY, 0, 0},
#define ROW(name, ...)                   [ORK_BASIC_##name] = {#name, __VA_ARGS__},
#define ORK_BASIC(name, kind, languages) ROW(name, ORK_BASIC_IS_##kind, languages, 0, 0)
#define ORK_PAIR(name, first, second)                                                              \
    ROW(name, ORK_BASIC_IS_PAIR, ORK_OF_ANY, ORK_BASIC_##first, ORK_BASIC_##second)
#define ORK_MARKER(name) ROW(name, ORK_BASIC_IS_NOTHING, ORK_OF_ANY, 0, 0)
#include "bytes/datatype/basic.def"
#undef ORK_BASIC
#undef ORK_PAIR
#undef ORK_MARKER
    [ORK_BASIC_F90_INTEGER] = {"an integer of MPI_Type_create_f90_integer", ORK_BASIC_IS_SIGNED,
                               ORK_OF_ALL, 0, 0},
    [ORK_BASIC_F90_REAL] = {"a real of MPI_Type_create_f90_real", ORK_BASIC_IS_REAL, ORK_OF_ALL, 0,
                            0},
    [ORK_BASIC_F90_COMPLEX] = {"a complex of MPI_Type_create_f90_complex", ORK_BASIC_IS_COMPLEX,
                               ORK_OF_ALL, 0, 0},
};

enum ork_basic_kind ork_basic_kind(enum ork_basic basic)
{
    return basic < ORK_BASIC_MAX ? (enum ork_basic_kind)rows[basic].kind : ORK_BASIC_IS_NOTHING;
}

uint8_t ork_basic_languages(enum ork_basic basic)
{
    return basic < ORK_BASIC_MAX ? rows[basic].languages : (uint8_t)ORK_OF_ANY;
}

const char *ork_basic_name(enum ork_basic basic)
{
    return basic < ORK_BASIC_MAX ? rows[basic].name : "?";
}

bool ork_basic_pair(uint32_t id, uint32_t element[2])
{
    const struct row *row = &rows[ork_basic_of_id(id)];
    uint32_t size = ork_basic_size_of_id(id);

    if (row->kind != ORK_BASIC_IS_PAIR)
        return false;
    uint32_t second = row->first == row->second ? size / 2 : (uint32_t)sizeof(int);
    if (second > size)
        return false;
    element[0] = ork_type_id_of_basic((enum ork_basic)row->first, size - second);
    element[1] = ork_type_id_of_basic((enum ork_basic)row->second, second);
    return true;
}
