/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH passes the error of a call on by functions with exported names, which also call the error
 * handler, and end the process if that is MPI_ERRORS_ARE_FATAL (src/mpi/errhan/errutil.c). So the
 * interceptor can define them first. */
#include "interceptor/process/fatal.h"

#include "interceptor/mpi/next.h"
#include "interceptor/mpich/objects.h"

#include <stdio.h>
#include <string.h>

typedef int returner(void *object, const char *function, int code);

/* `handler`: a reference, which is given back. */
static bool is_fatal(MPI_Errhandler handler)
{
    if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN)
        return handler == MPI_ERRORS_ARE_FATAL;
    ORK_NEXT(MPI_Errhandler_free)(&handler);
    return false;
}

/* The name that the program calls it by: "internal_Send" is MPI_Send. */
static void write_name(const char *function, char *name, size_t room)
{
    static const char *const begins[] = {"internal_", "PMPI_", "MPI_"};

    snprintf(name, room, "%s", function != NULL ? function : "");
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
        size_t length = strlen(begins[i]);
        if (function != NULL && strncmp(function, begins[i], length) == 0)
            snprintf(name, room, "MPI_%s", function + length);
    }
}

static int pass_on(const char *symbol, bool ends, void *object, const char *function, int code)
{
    returner *next = (returner *)ork_next_find(symbol);
    char name[64];

    if (ends) {
        write_name(function, name, sizeof(name));
        ork_fatal_note(name[0] != '\0' ? name : NULL, &code);
    }
    return next != NULL ? next(object, function, code) : code;
}

/* RATIONALE: without a communicator, the handler of MPI_COMM_WORLD is called. */
static bool is_fatal_for_comm(const void *object)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm comm = MPI_COMM_WORLD;

    if (!ork_fatal_is_usable())
        return true;
    if (object != NULL && !ork_mpich_comm_of(object, &comm))
        return false;
    int result = ORK_NEXT(MPI_Comm_get_errhandler)(comm, &handler);
    return result == MPI_SUCCESS && is_fatal(handler);
}

static bool is_fatal_for_win(const void *object)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Win win = MPI_WIN_NULL;

    if (object == NULL || !ork_mpich_win_of(object, &win))
        return false;
    int result = ORK_NEXT(MPI_Win_get_errhandler)(win, &handler);
    return result == MPI_SUCCESS && is_fatal(handler);
}

__attribute__((visibility("default"))) returner MPIR_Err_return_comm, MPIR_Err_return_win;

int MPIR_Err_return_comm(void *object, const char *function, int code)
{
    bool ends = is_fatal_for_comm(object);

    return pass_on("MPIR_Err_return_comm", ends, object, function, code);
}

int MPIR_Err_return_win(void *object, const char *function, int code)
{
    bool ends = is_fatal_for_win(object);

    return pass_on("MPIR_Err_return_win", ends, object, function, code);
}
