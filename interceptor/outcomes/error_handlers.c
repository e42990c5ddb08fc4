/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/outcomes/error_handlers.h"
#include "interceptor/preload/thread_storage.h"

/* The one that waits. */
struct put_off {
    bool ends;
    enum ork_state state; /* of the thread when it was put off */
};
ORK_THREAD_LOCAL(struct put_off, ork_error_handler);

/* Other functions of which a call is made: by the library, in a replay, with --must:poll. */
static bool is_part(const char *function)
{
    static const char *const part[] = {
        "MPI_Irecv", "MPI_Test",    "MPI_Testall", "MPI_Iprobe",   "MPI_Improbe",
        "MPI_Wait",  "MPI_Waitall", "MPI_Recv",    "MPI_Sendrecv", "MPI_Request_get_status"};

    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        if (strcmp(function, part[i]) == 0)
            return true;
    }
    return false;
}

/* Has the call itself failed? RATIONALE: callbacks make calls inside of another one. Those that are
 * recorded are deeper, others have another name. */
static bool is_own(const char *function)
{
    return function != NULL && ork_thread.in_library == 1 &&
           (strcmp(function, ork_call_name(ork_thread.may_choose)) == 0 || is_part(function));
}

/* RATIONALE: a call that is wrong fails in every order. */
const char *ork_error_handler_put_off(const char *function, bool ends)
{
    const uint16_t id = ork_thread.may_choose;

    if (id == ORK_CALL_NONE || id >= ORK_CALL_MAX || ork_thread.open_usages != 0 ||
        !is_own(function))
        return NULL;
    ork_error_handler.ends = ends;
    ork_error_handler.state = ork_thread.state;
    ork_thread.may_choose = ORK_HANDLER_WAITS;
    return ork_call_name(id);
}

void ork_error_handler_mark(struct ork_record *outcome)
{
    if (ork_thread.may_choose != ORK_HANDLER_WAITS || !ork_error_handler.ends)
        return;
    outcome->arg2 = outcome->kind == ORK_KIND_TESTED;
    outcome->kind = ORK_KIND_FATAL;
}

/* RATIONALE: the process ends in the call, and not after it. */
void ork_error_handler_begin(void)
{
    if (ork_error_handler.ends)
        ork_set_state(ork_error_handler.state);
}
