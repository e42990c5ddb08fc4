/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI 4.1 calls each error handler in ompi_errhandler_invoke()
 * (ompi/errhandler/errhandler_invoke.c), by its exported name, so the interceptor can define it
 * first. */
#include "interceptor/forcing/poll.h"
#include "interceptor/outcomes/error_handlers.h"
#include "interceptor/mpi/next.h"
#include "interceptor/preload/thread_storage.h"

#include <mpi.h>

typedef int invoker(void *handler, void *object, int type, int code, const char *function);

/* The one that was put off. */
struct late {
    void *handler, *object;
    int type, code;
    const char *function;
};
ORK_THREAD_LOCAL(struct late, ork_error_late);

static invoker *next_invoker(void)
{
    ork_function symbol = ork_next_find("ompi_errhandler_invoke");

    return (invoker *)symbol;
}

/* RATIONALE: MPI_ERRORS_RETURN does nothing. */
static const char *put_off(const void *handler, const char *function)
{
    if (handler == (const void *)MPI_ERRORS_RETURN)
        return NULL;
    return ork_error_handler_put_off(function, handler == (const void *)MPI_ERRORS_ARE_FATAL);
}

__attribute__((visibility("default"))) invoker ompi_errhandler_invoke;
int ompi_errhandler_invoke(void *handler, void *object, int type, int code, const char *function)
{
    invoker *next = next_invoker();
    function = ork_poll_name(function);
    const char *name = next != NULL ? put_off(handler, function) : NULL;

    if (name == NULL)
        return next != NULL ? next(handler, object, type, code, function) : code;
    ork_error_late.handler = handler;
    ork_error_late.object = object;
    ork_error_late.type = type;
    ork_error_late.code = code;
    ork_error_late.function = name;
    return code;
}

/* Does the function return the code that its error handler leaves? */
static bool returns_code(const char *function)
{
    return strncmp(function, "MPI_Wait", 8) == 0 || strncmp(function, "MPI_Test", 8) == 0;
}

int ork_library_handle_error(int result)
{
    int code = next_invoker()(ork_error_late.handler, ork_error_late.object, ork_error_late.type,
                              ork_error_late.code, ork_error_late.function);

    if (!returns_code(ork_error_late.function))
        return result;
    return result == MPI_ERR_IN_STATUS && code != MPI_SUCCESS ? result : code;
}
