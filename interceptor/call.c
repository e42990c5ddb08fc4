/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call.h"

void ork_put_error(const struct ork_call *call, int result)
{
    struct ork_record r = ORK_RECORD(call, EXIT, .flags = ORK_F_ERROR, .peer = ORK_NO_PEER,
                                     .request = ORK_REQUEST_NULL);
    int class = MPI_ERR_OTHER;

    PMPI_Error_class(result, &class);
    r.arg = (uint32_t) class;
    ork_send_record(&r);
}
