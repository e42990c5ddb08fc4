/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/checks/check.h"

#include "interceptor/buffers/amount.h"
#include "interceptor/mpi/next.h"
#include "record/reductions.h"

#include <errno.h>
#include <stdio.h>

/* The groups of MPI-3.1 section 5.9.2, as bits. */
enum {
    C_INTEGER = 1,
    FORTRAN_INTEGER = 2,
    FLOATING = 4,
    LOGICAL = 8,
    COMPLEX = 16,
    BYTE = 32,
    MULTI_LANGUAGE = 64,
    PAIR = 128, /* section 5.9.4 */
    CHARACTER = 256,
    INTEGERS = C_INTEGER | FORTRAN_INTEGER | MULTI_LANGUAGE,
};

struct group {
    MPI_Datatype type;
    unsigned group;
};

/* 0: not a predefined datatype, or of none of the groups. */
static unsigned group_of(MPI_Datatype type)
{
    const struct group known[] = {
#define ORK_TYPE_GROUP(group, type) {type, group},
#include "interceptor/objects/type_groups.def"
#undef ORK_TYPE_GROUP
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].type == type && type != MPI_DATATYPE_NULL)
            return known[i].group;
    }
    return 0;
}

/* The groups for which a predefined operator is defined; 0: all. */
static unsigned groups_of(MPI_Op op)
{
    if (op == MPI_MAX || op == MPI_MIN)
        return INTEGERS | FLOATING;
    if (op == MPI_SUM || op == MPI_PROD)
        return INTEGERS | FLOATING | COMPLEX;
    if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR)
        return C_INTEGER | LOGICAL;
    if (op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR)
        return INTEGERS | BYTE;
    return op == MPI_MAXLOC || op == MPI_MINLOC ? PAIR : 0;
}

/* MPI_COMBINER_NAMED of a predefined datatype. RATIONALE: the datatypes of MPI_Type_create_f90_*
 * are predefined ones, too; that of a copy is not judged. */
static int combiner_of(MPI_Datatype type)
{
    int integers, addresses, types;
    int combiner = MPI_COMBINER_DUP;

    ORK_NEXT(MPI_Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    return combiner;
}

static bool is_left_open(int combiner)
{
    return combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_F90_INTEGER ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

static enum ork_op_verdict judge_type(MPI_Op op, MPI_Datatype type, enum ork_op_use use)
{
    unsigned group = group_of(type);
    unsigned groups = groups_of(op);
    int combiner = group != 0 ? MPI_COMBINER_NAMED : combiner_of(type);

    if (groups == 0 || (group & groups) != 0 || is_left_open(combiner))
        return ORK_OP_FITS;
    if (combiner != MPI_COMBINER_NAMED) /* a derived one may have elements of one type: 11.3.4 */
        return use == ORK_OP_REDUCTION ? ORK_OP_DERIVED : ORK_OP_FITS;
    if (group == 0)
        return ORK_OP_FITS; /* an extension of the library */
    return group == CHARACTER ? ORK_OP_CHARACTERS : ORK_OP_OTHER_TYPE;
}

enum ork_op_verdict ork_op_judge(MPI_Op op, MPI_Datatype type, enum ork_op_use use)
{
    if (op == MPI_REPLACE || op == MPI_NO_OP) {
        if (use == ORK_OP_REDUCTION)
            return ORK_OP_IS_OF_RMA;
        return op == MPI_NO_OP && use == ORK_OP_ACCUMULATE ? ORK_OP_NEEDS_FETCH : ORK_OP_FITS;
    }
    if (ork_op_number(op) == ORK_REDUCTION_USER_DEFINED)
        return use == ORK_OP_REDUCTION ? ORK_OP_FITS : ORK_OP_IS_OF_USER;
    return judge_type(op, type, use);
}

static enum ork_usage_id row_of(enum ork_op_verdict verdict)
{
    switch (verdict) {
    case ORK_OP_IS_OF_USER:
        return ORK_USAGE_OP_OF_USER;
    case ORK_OP_IS_OF_RMA:
        return ORK_USAGE_OP_OF_RMA;
    case ORK_OP_NEEDS_FETCH:
        return ORK_USAGE_OP_NEEDS_FETCH;
    case ORK_OP_DERIVED:
        return ORK_USAGE_OP_DERIVED;
    case ORK_OP_CHARACTERS:
        return ORK_USAGE_OP_CHARACTERS;
    case ORK_OP_FITS:
    case ORK_OP_OTHER_TYPE:
        break;
    }
    return ORK_USAGE_OP_TYPE;
}

static const char *op_name(MPI_Op op)
{
    static const char *const names[] = {
        [ORK_REDUCTION_NONE] = "MPI_OP_NULL",
#define ORK_REDUCTION(name) [ORK_REDUCTION_##name] = #name,
#include "record/reductions.def"
#undef ORK_REDUCTION
        [ORK_REDUCTION_USER_DEFINED] = "a user-defined operation",
    };

    return names[ork_op_number(op)];
}

bool ork_wrong_op(const struct ork_call *call, const char *argument, MPI_Op op, MPI_Datatype type,
                  enum ork_op_use use)
{
    char text[MPI_MAX_OBJECT_NAME + 64];
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    int saved = errno;

    if (!ork_handle_is_valid(ORK_HANDLE_OP, ORK_KEY(op)) ||
        !ork_handle_is_valid(ORK_HANDLE_DATATYPE, ORK_KEY(type)))
        return false;
    enum ork_op_verdict verdict = ork_op_judge(op, type, use);
    if (verdict == ORK_OP_FITS) {
        *ork_op_pair_of(op, type) =
            (struct ork_op_pair){(uintptr_t)op, (uintptr_t)type, (uint32_t)use + 1};
    } else {
        ORK_NEXT(MPI_Type_get_name)(type, name, &length);
        snprintf(text, sizeof(text), "%s for elements of %s", op_name(op),
                 name[0] != '\0' ? name : "a derived datatype");
        ork_usage_report(
            call, &(struct ork_usage){.id = row_of(verdict), .argument = argument, .text = text});
    }
    errno = saved;
    return verdict != ORK_OP_FITS;
}

bool ork_wrong_freed_op(const struct ork_call *call, const char *argument, MPI_Op op)
{
    if (ork_op_number(op) == ORK_REDUCTION_USER_DEFINED)
        return false;
    ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_PREDEFINED_OP_FREED,
                                               .argument = argument,
                                               .text = op_name(op)});
    return true;
}
