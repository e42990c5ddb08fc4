/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the standard ABI and the library of the build: see library.py. What is no constant is the
 * same in both. */
#include <mpi.h>

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const intptr_t abi_values[];

enum kind {
    kind_comm,
    kind_group,
    kind_win,
    kind_file,
    kind_message,
    kind_info,
    kind_errhandler,
    kind_request,
    kind_op,
    kind_type,
    kind_rank,
    kind_tag,
    kind_level,
    kind_lock,
    kind_assertion,
    kind_amode,
    kind_whence,
    kind_keyval,
    kind_combiner,
    kind_comparison,
    kind_topology,
    kind_split,
    kind_order,
    kind_distribution,
    kind_code,
};

/* In the order of abi_values[]. RATIONALE: no static array, since handles are addresses that only
 * the dynamic linker knows. */
static inline intptr_t convert(enum kind kind, intptr_t value, int is_in)
{
    const struct {
        enum kind kind;
        intptr_t native;
    } values[] = {
#define VALUE(kind, name) {kind_##kind, (intptr_t)name},
#include "tests/e2e/abi/values.def"
    };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (values[i].kind == kind && (is_in ? abi_values[i] : values[i].native) == value)
            return is_in ? values[i].native : abi_values[i];
    }
    return value;
}

/* Each bit of a set. */
static inline intptr_t convert_bits(enum kind kind, intptr_t set, int is_in)
{
    intptr_t out = 0;

    for (int bit = 0; bit < 16; bit++)
        out |= set >> bit & 1 ? convert(kind, (intptr_t)1 << bit, is_in) : 0;
    return out;
}

#define HANDLES(kind, type)                                                                        \
    static inline type kind##_in(const void *handle)                                               \
    {                                                                                              \
        return (type)convert(kind_##kind, (intptr_t)handle, 1);                                    \
    }                                                                                              \
    static inline void *kind##_out(type handle)                                                    \
    {                                                                                              \
        return (void *)convert(kind_##kind, (intptr_t)handle, 0);                                  \
    }

#define NUMBERS(kind, how)                                                                         \
    static inline int kind##_in(int number)                                                        \
    {                                                                                              \
        return (int)how(kind_##kind, number, 1);                                                   \
    }                                                                                              \
    static inline int kind##_out(int number)                                                       \
    {                                                                                              \
        return (int)how(kind_##kind, number, 0);                                                   \
    }

HANDLES(comm, MPI_Comm)
HANDLES(group, MPI_Group)
HANDLES(win, MPI_Win)
HANDLES(file, MPI_File)
HANDLES(message, MPI_Message)
HANDLES(info, MPI_Info)
HANDLES(errhandler, MPI_Errhandler)
HANDLES(request, MPI_Request)
HANDLES(op, MPI_Op)
HANDLES(type, MPI_Datatype)
NUMBERS(rank, convert)
NUMBERS(tag, convert)
NUMBERS(level, convert)
NUMBERS(lock, convert)
NUMBERS(assertion, convert_bits)
NUMBERS(amode, convert_bits)
NUMBERS(whence, convert)
NUMBERS(keyval, convert)
NUMBERS(combiner, convert)
NUMBERS(comparison, convert)
NUMBERS(topology, convert)
NUMBERS(split, convert)
NUMBERS(order, convert)
NUMBERS(distribution, convert)
NUMBERS(code, convert)

struct abi_status {
    int source, tag, error, internal[5];
};

static inline MPI_Status status_in(struct abi_status status)
{
    MPI_Status native;

    memcpy((char *)&native + 12, status.internal, sizeof(native) - 12);
    native.MPI_SOURCE = rank_in(status.source);
    native.MPI_TAG = tag_in(status.tag);
    native.MPI_ERROR = code_in(status.error);
    return native;
}

static inline struct abi_status status_out(MPI_Status native)
{
    struct abi_status status = {.source = rank_out(native.MPI_SOURCE),
                                .tag = tag_out(native.MPI_TAG),
                                .error = code_out(native.MPI_ERROR)};

    memcpy(status.internal, (const char *)&native + 12, sizeof(native) - 12);
    return status;
}

_Static_assert(sizeof(MPI_Status) <= sizeof(struct abi_status), "it fits");

static inline void *take(int count, size_t size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);

    if (memory == NULL)
        abort();
    return memory;
}

/* RATIONALE: by its handle, past the preload file. */
static inline void *native(const char *symbol)
{
    void *library = dlopen(ORK_TEST_LIBRARY, RTLD_LAZY);
    void *function = library != NULL ? dlsym(library, symbol) : NULL;

    if (function == NULL) {
        fprintf(stderr, "libmpi_abi: no %s\n", symbol);
        abort();
    }
    return function;
}

#define NATIVE(name) ((__typeof__(&P##name))native("P" #name))

/* What interceptor/spec does not describe. */

#define OF_ABI(name, parameters)                                                                   \
    int abi_##name parameters __asm__(#name);                                                      \
    int abi_P##name parameters __asm__("P" #name) __attribute__((alias(#name)));                   \
    int abi_##name parameters

OF_ABI(MPI_Abi_get_version, (int *major, int *minor))
{
    *major = 1;
    *minor = 0;
    return MPI_SUCCESS;
}

OF_ABI(MPI_Initialized, (int *flag))
{
    return code_out(NATIVE(MPI_Initialized)(flag));
}

OF_ABI(MPI_Finalized, (int *flag))
{
    return code_out(NATIVE(MPI_Finalized)(flag));
}

OF_ABI(MPI_Get_library_version, (char *text, int *length))
{
    return code_out(NATIVE(MPI_Get_library_version)(text, length));
}

double abi_MPI_Wtime(void) __asm__("MPI_Wtime");
double abi_MPI_Wtime(void)
{
    return NATIVE(MPI_Wtime)();
}
