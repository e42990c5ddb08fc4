/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI 4.1 calls the functions of MPI_ERRORS_ARE_FATAL by their exported names
 * (ompi/errhandler/errhandler_predefined.c), like functions of another library, so the interceptor
 * can define them first. The error handlers of communicators do not change, nor what the program
 * sees of them. */
#include "interceptor/mpi/next.h"
#include "interceptor/openmpi/codes.h"
#include "interceptor/process/fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef void (*fatal_handler)(void **object, int *code, ...);

enum { NAME_SIZE = 64 };

/* RATIONALE: for a wrong operator, the library has a sentence that begins with the name of the
 * call: "MPI_Allreduce: the reduction operation MPI_MAX is not defined on ..". */
static void note(const char *call, const int *code)
{
    int known = code != NULL ? ork_openmpi_code(*code) : 0;
    char name[NAME_SIZE] = "";

    if (call != NULL)
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(call, ":"), call);
    ork_fatal_note(call != NULL ? name : NULL, code != NULL ? &known : NULL);
}

/* Call the library's own, which does not return. */
static void pass_on(const char *name, void **object, int *code, const char *call)
{
    fatal_handler next = (fatal_handler)ork_next_find(name);

    if (next == NULL)
        ORK_NEXT(MPI_Abort)(MPI_COMM_WORLD, code != NULL ? *code : 1);
    next(object, code, call, NULL);
}

/* The first of the further arguments is the name of the function that failed, or NULL. */
#define ORK_FATAL_HANDLER(name)                                                                    \
    __attribute__((visibility("default"))) void name(void **object, int *code, ...);               \
    void name(void **object, int *code, ...)                                                       \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, code);                                                                 \
        const char *call = va_arg(arguments, const char *);                                        \
        va_end(arguments);                                                                         \
        note(call, code);                                                                          \
        pass_on(#name, object, code, call);                                                        \
    }

ORK_FATAL_HANDLER(ompi_mpi_errors_are_fatal_comm_handler)
ORK_FATAL_HANDLER(ompi_mpi_errors_are_fatal_file_handler)
ORK_FATAL_HANDLER(ompi_mpi_errors_are_fatal_win_handler)
