/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers that are put off. A handler may end the process, or jump out of the call that
 * failed, and then the hook of this call does not run on. So in a call that may be a choice
 * (choice.h) the MPI library goes on as with MPI_ERRORS_RETURN, and its handler is called when the
 * call has been recorded. */
#ifndef ORK_ERROR_HANDLERS_H
#define ORK_ERROR_HANDLERS_H

#include "interceptor/mpi/mpi_library.h"
#include "interceptor/ring/recorder.h"

/* What ork_thread.may_choose is while a handler waits. */
enum { ORK_HANDLER_WAITS = UINT16_MAX };

/* The library, in the calling thread, is about to call the handler for an error in this function
 * ("MPI_Recv"; NULL: unknown); `ends`: it is MPI_ERRORS_ARE_FATAL. NULL: call it. Else it is put
 * off: the function is to fail as if the handler had returned, and ork_library_handle_error() calls
 * it, with the name that is returned: that of the program's call. */
const char *ork_error_handler_put_off(const char *function, bool ends);

/* The library makes this call, whose outcome may be a choice. */
static inline void ork_error_handlers_wait(enum ork_call_id id)
{
    ork_thread.may_choose = (uint16_t)id;
}

/* The call has failed, and this EXIT or TESTED is recorded next. If a handler waits that ends the
 * process, the record becomes FATAL: the call does not return. */
void ork_error_handler_mark(struct ork_record *outcome) __attribute__((cold));

/* The handler that waits is called next: as in the library, if it ends the process. */
void ork_error_handler_begin(void) __attribute__((cold));

/* The hook has recorded the call, which returns this to the program. The lock is not held. */
static inline int ork_error_handlers_end(int result)
{
    bool waits = ork_thread.may_choose == ORK_HANDLER_WAITS;

    ork_thread.may_choose = ORK_CALL_NONE;
    if (ORK_LIKELY(!waits))
        return result;
    ork_error_handler_begin();
    return ork_library_handle_error(result);
}

#endif
