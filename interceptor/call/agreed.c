/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call/agreed.h"

#include "common/hash.h"
#include "interceptor/checks/files.h"
#include "interceptor/objects/handles.h"
#include "interceptor/site/map.h"
#include "interceptor/memory/memory_read.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

#include <string.h>

uint64_t ork_agreed_modes(int amode)
{
    return ork_agreed_number(ork_files_modes(amode));
}

/* MPI-3.1 section 11.5.5: the other assertions are of the process alone. */
uint64_t ork_agreed_assertions(int assertion)
{
    int64_t found = 0;

    if ((assertion & MPI_MODE_NOPRECEDE) != 0)
        found |= ORK_AGREED_NOPRECEDE;
    if ((assertion & MPI_MODE_NOSUCCEED) != 0)
        found |= ORK_AGREED_NOSUCCEED;
    return ork_agreed_number(found);
}

uint64_t ork_agreed_seek(int whence)
{
    return ork_agreed_number(whence == MPI_SEEK_SET   ? ORK_AGREED_SET
                             : whence == MPI_SEEK_CUR ? ORK_AGREED_CUR
                             : whence == MPI_SEEK_END ? ORK_AGREED_END
                                                      : ORK_AGREED_OTHER);
}

/* MPI-3.1 section 6.4.2: any process may pass MPI_UNDEFINED. */
uint64_t ork_agreed_split_type(int type)
{
    return type == MPI_UNDEFINED ? 0 : ork_agreed_number(type);
}

static uint64_t short_hash(uint64_t hash)
{
    return (uint32_t)hash | ORK_AGREED_IS_SHORT_HASH | 1;
}

uint64_t ork_agreed_datarep(const char *datarep)
{
    static const char *const known[] = {[ORK_AGREED_NATIVE] = "native",
                                        [ORK_AGREED_INTERNAL] = "internal",
                                        [ORK_AGREED_EXTERNAL32] = "external32"};

    if (datarep == NULL)
        return 0;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(datarep, known[i]) == 0)
            return ork_agreed_number((int64_t)i);
    }
    return short_hash(ork_hash_text(0, datarep));
}

/* RATIONALE: the extents in the file must be equal (MPI-3.1 section 13.3). They are those in memory
 * only in the native representation. */
uint64_t ork_agreed_extent(MPI_Datatype etype, const char *datarep)
{
    MPI_Aint lower, extent;

    if (etype == MPI_DATATYPE_NULL || datarep == NULL || strcmp(datarep, "native") != 0 ||
        !ork_handle_is_valid(ORK_HANDLE_DATATYPE, ORK_KEY(etype)) ||
        ORK_NEXT(MPI_Type_get_extent)(etype, &lower, &extent) != MPI_SUCCESS)
        return 0;
    return ork_agreed_number(extent);
}

/* RATIONALE: without an edge, any array may be passed, also for a graph with weights. */
uint64_t ork_agreed_weights(int n, const int *weight)
{
    return n <= 0 || ork_library_is_empty_weights(weight)
               ? 0
               : ork_agreed_logical(!ork_library_is_unweighted(weight));
}

/* RATIONALE: the library returns an error for some counts that are longer than the array. */
static bool is_readable(int n, const int *element)
{
    return n > 0 && element != NULL &&
           ork_memory_is_readable(element, (size_t)n * sizeof(*element));
}

static uint64_t hash_of(int n, const int *element)
{
    uint64_t hash = (uint64_t)n;

    for (int i = 0; i < n; i++)
        hash = ork_hash_add(hash, (uint64_t)element[i]);
    return hash;
}

uint64_t ork_agreed_dimensions(int n, const int *dim)
{
    bool is_short = n <= ORK_AGREED_DIMS_MAX;
    uint64_t packed = 0;

    if (!is_readable(n, dim))
        return 0;
    for (int i = 0; i < n && is_short; i++) {
        is_short = dim[i] >= 0 && dim[i] < 1 << ORK_AGREED_DIM_BITS;
        packed |= (uint64_t)dim[i] << i * ORK_AGREED_DIM_BITS;
    }
    return is_short ? ork_agreed_number((int64_t)packed) : hash_of(n, dim) | ORK_AGREED_IS_HASH | 1;
}

uint64_t ork_agreed_logicals(int n, const int *logical)
{
    uint64_t hash = 0;

    if (!is_readable(n, logical))
        return 0;
    for (int i = 0; i < n; i++)
        hash = ork_hash_add(hash, logical[i] != 0);
    return short_hash(hash);
}

uint64_t ork_agreed_list(int n, const int *element)
{
    return is_readable(n, element) ? short_hash(hash_of(n, element)) : 0;
}

uint64_t ork_agreed_edges(int n, const int *index, const int *edge)
{
    if (!is_readable(n, index))
        return 0;
    for (int i = 1; i < n; i++) {
        if (index[i] < index[i - 1])
            return 0;
    }
    return ork_agreed_list(index[n - 1], edge);
}
