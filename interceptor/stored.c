/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/stored.h"

#include "interceptor/call.h"

_Thread_local struct ork_stored ork_stored[ORK_STORED_KEPT]
    __attribute__((tls_model("initial-exec")));

/* RATIONALE: the library may have used the handle again since, and the number may have been given
 * again. */
void ork_stored_lose(const struct ork_call *call, const MPI_Request *at)
{
    const struct ork_stored *s = ork_stored_of(at);
    struct ork_request now = ork_request_find(s->handle);

    if (now.id != s->id || ork_request_serial(s->id) != s->serial ||
        !ork_stored_is_in_program(call))
        return;
    struct ork_record r = ORK_RECORD(call, OVERWRITTEN, .request = s->id, .peer = ORK_NO_PEER);
    ork_put(&r);
}
