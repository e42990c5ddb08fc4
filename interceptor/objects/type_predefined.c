/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/next.h"
#include "interceptor/objects/types.h"

#include <string.h>

/* Optional types that the library does not have. */
#ifndef MPI_LOGICAL1
#define MPI_LOGICAL1 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL2
#define MPI_LOGICAL2 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL4
#define MPI_LOGICAL4 MPI_DATATYPE_NULL
#endif
#ifndef MPI_LOGICAL8
#define MPI_LOGICAL8 MPI_DATATYPE_NULL
#endif
#ifndef MPI_2COMPLEX
#define MPI_2COMPLEX MPI_DATATYPE_NULL
#endif
#ifndef MPI_2DOUBLE_COMPLEX
#define MPI_2DOUBLE_COMPLEX MPI_DATATYPE_NULL
#endif

struct ork_known_type ork_known_types[ORK_TYPE_SLOTS];
uint64_t ork_type_factor = UINT64_C(0x9e3779b97f4a7c15);

static const struct {
    MPI_Datatype type;
    enum ork_basic basic;
} predefined[] = {
#define ORK_BASIC(name, kind, languages) {name, ORK_BASIC_##name},
#define ORK_PAIR(name, first, second)    {name, ORK_BASIC_##name},
#ifdef MPI_LB
#define ORK_MARKER(name) {name, ORK_BASIC_##name},
#else
#define ORK_MARKER(name)
#endif
#include "bytes/datatype/basic.def"
#undef ORK_BASIC
#undef ORK_PAIR
#undef ORK_MARKER
};
enum { PREDEFINED = sizeof(predefined) / sizeof(predefined[0]) };

static uint32_t size_of(MPI_Datatype type)
{
    int size = 0;

    if (type == MPI_DATATYPE_NULL || ORK_NEXT(MPI_Type_size)(type, &size) != MPI_SUCCESS ||
        size < 0)
        return 0;
    return (uint32_t)size;
}

uint32_t ork_type_predefined(MPI_Datatype type)
{
    for (unsigned i = 0; i < PREDEFINED; i++) {
        if (predefined[i].type != type)
            continue;
        uint32_t size = size_of(type);
        bool is_absent = size == 0 && ork_basic_kind(predefined[i].basic) != ORK_BASIC_IS_NOTHING;
        return is_absent ? ORK_TYPE_UNKNOWN : ork_type_id_of_basic(predefined[i].basic, size);
    }
    return ORK_TYPE_UNKNOWN;
}

static bool is_dense(MPI_Datatype type, uint32_t size)
{
    MPI_Aint low, extent, true_low, true_extent;

    return ORK_NEXT(MPI_Type_get_extent)(type, &low, &extent) == MPI_SUCCESS &&
           ORK_NEXT(MPI_Type_get_true_extent)(type, &true_low, &true_extent) == MPI_SUCCESS &&
           low == 0 && true_low == 0 && extent == (MPI_Aint)size && true_extent == extent;
}

/* False: its slot is taken by another one. */
static bool enter(MPI_Datatype type)
{
    struct ork_known_type *known = &ork_known_types[ork_type_slot(type)];
    uint32_t id = type == MPI_DATATYPE_NULL ? ORK_TYPE_UNKNOWN : ork_type_predefined(type);

    if (known->type == type || id == ORK_TYPE_UNKNOWN)
        return true;
    if (known->type != 0)
        return false;
    *known = (struct ork_known_type){.type = type,
                                     .size = size_of(type),
                                     .id = (uint16_t)id,
                                     .is_dense = is_dense(type, size_of(type))};
    return true;
}

static bool enter_all(void)
{
    for (unsigned i = 0; i < PREDEFINED; i++) {
        if (!enter(predefined[i].type))
            return false;
    }
    return true;
}

/* RATIONALE: one factor in about fifteen gives some eighty datatypes different slots of a thousand;
 * none of ten thousand is out of the question. Datatypes that are not in the table are decoded. */
void ork_types_init(void)
{
    for (int tries = 0; tries < 10000 && !enter_all(); tries++) {
        memset(ork_known_types, 0, sizeof(ork_known_types));
        ork_type_factor = ork_type_factor * UINT64_C(6364136223846793005) + 2;
    }
    /* RATIONALE: no empty slot may look like that of a null pointer. */
    struct ork_known_type *of_null = &ork_known_types[ork_type_slot((MPI_Datatype)0)];
    if (of_null->type == 0)
        of_null->type = (MPI_Datatype)(intptr_t)-1; /* no datatype of any library */
}
