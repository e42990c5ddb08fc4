/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call.h"

void ork_put_error(const struct ork_call *call, int result)
{
    struct ork_record r = ORK_RECORD(call, EXIT, .flags = ORK_F_ERROR, .peer = ORK_NO_PEER,
                                     .request = ORK_REQUEST_NULL);
    int error = MPI_ERR_OTHER;

    PMPI_Error_class(result, &error);
    r.arg = (uint32_t)error;
    if (error == MPI_ERR_TRUNCATE)
        r.flags |= ORK_F_MATCHED;
    ork_send_record(&r);
}

void ork_put_not_started(const struct ork_call *call, int result)
{
    struct ork_record r =
        ORK_RECORD(call, OPAQUE, .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL);

    ork_send_record(&r);
    ork_put_error(call, result);
}
