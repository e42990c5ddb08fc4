/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/hooks/handle_calls.h"

#include "interceptor/objects/attribute_keys.h"
#include "interceptor/fastpath/loop_body.h"
#include "interceptor/mpi/next.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/objects/types.h"

void ork_handle_calls_init(void)
{
#define ORK_NULL_HANDLE(kind, handle) ork_handle_set_null(ORK_HANDLE_##kind, ORK_KEY(handle));
#define ORK_PREDEFINED(kind, handle)  ork_handle_predefine(ORK_HANDLE_##kind, ORK_KEY(handle));
#include "interceptor/objects/predefined.def"
#undef ORK_PREDEFINED
#undef ORK_NULL_HANDLE
    MPI_Comm parent = MPI_COMM_NULL;

    ORK_NEXT(MPI_Comm_get_parent)(&parent);
    ork_handle_predefine(ORK_HANDLE_COMM, ORK_KEY(parent));
}

static struct ork_handle_place place_of(const struct ork_call *call)
{
    return (struct ork_handle_place){
        .site = call->site, .call = call->id, .is_tools = ork_call_is_tools_own(call)};
}

void ork_handle_made(const struct ork_call *call, enum ork_handle_kind kind, uint64_t value,
                     const void *variable)
{
    ork_lock();
    ork_handle_enter(kind, value, variable, place_of(call));
    if (kind == ORK_HANDLE_KEYVAL)
        ork_attribute_key_made(value);
    ork_unlock();
    if (call->id == ORK_CALL_MPI_Comm_dup || call->id == ORK_CALL_MPI_Comm_dup_with_info)
        ork_attributes_copied(kind, value, true);
    else if (call->id == ORK_CALL_MPI_Comm_idup) /* it can be used when its request is complete */
        ork_attributes_copied(kind, value, false);
}

/* The types of MPI_Type_create_f90_real and so on are predefined (MPI-3.1 section 17.1.9). */
static bool is_predefined(MPI_Datatype type)
{
    int integers, addresses, types, combiner;

    ORK_NEXT(MPI_Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

/* Does this call return datatypes that may be committed? */
static bool is_state_unknown(unsigned call)
{
    return call == ORK_CALL_MPI_Type_dup || call == ORK_CALL_MPI_Type_get_contents ||
           call == ORK_CALL_MPI_File_get_view;
}

void ork_handle_made_type(const struct ork_call *call, const MPI_Datatype *type)
{
    bool is_null = *type == MPI_DATATYPE_NULL;
    bool predefined = !is_null && is_predefined(*type);

    ork_lock();
    if (predefined)
        ork_handle_predefine(ORK_HANDLE_DATATYPE, ORK_KEY(*type));
    else
        ork_handle_enter(ORK_HANDLE_DATATYPE, ORK_KEY(*type), type, place_of(call));
    if (!is_null)
        ork_type_made(*type, !predefined && !is_state_unknown(call->id));
    ork_unlock();
    if (call->id == ORK_CALL_MPI_Type_dup)
        ork_attributes_copied(ORK_HANDLE_DATATYPE, ORK_KEY(*type), true);
}

void ork_handles_made_types(const struct ork_call *call, MPI_Datatype decoded,
                            const MPI_Datatype *type)
{
    int integers, addresses, types, combiner;

    ORK_NEXT(MPI_Type_get_envelope)(decoded, &integers, &addresses, &types, &combiner);
    for (int i = 0; i < types; i++)
        ork_handle_made_type(call, &type[i]);
}

struct ork_handle_reference ork_handle_before_free(enum ork_handle_kind kind, uint64_t value,
                                                   const void *variable)
{
    if ((atomic_load_explicit(&ork_errands, memory_order_relaxed) & ORK_ERRAND_ITERATION) != 0 &&
        kind != ORK_HANDLE_MESSAGE)
        ork_loop_body_suspend(); /* what is postponed needs the handle */
    ork_lock();
    if (kind == ORK_HANDLE_DATATYPE)
        ork_types_forget((MPI_Datatype)(uintptr_t)value);
    struct ork_handle_reference reference = ork_handle_find(kind, value, variable);
    ork_attributes_before_free(kind, value);
    ork_unlock();
    return reference;
}

void ork_handle_after_free(const struct ork_call *call, enum ork_handle_kind kind,
                           struct ork_handle_reference before, uint64_t value)
{
    if (value == before.value)
        return;
    ork_lock();
    bool is_last = ork_handle_forget(kind, before, place_of(call));
    ork_attributes_after_free(kind, before.value, is_last);
    ork_unlock();
}
