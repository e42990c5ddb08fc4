/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on requests that may not be used like that: MPI-3.1 sections 3.7 to 3.9, 5.12 and 11.3.5.
 * The lock is held. */
#ifndef ORK_REQUEST_MISUSE_H
#define ORK_REQUEST_MISUSE_H

#include "interceptor/requests/requests.h"
#include "interceptor/site/site.h"

/* MPI_Start of a request that is not an inactive persistent one, as far as its flags tell. */
void ork_misuse_start(const struct ork_call *call, const struct ork_request *request)
    __attribute__((cold, noinline));
/* A Wait or Test of a request without a number. */
void ork_misuse_complete(const struct ork_call *call, const struct ork_request *request)
    __attribute__((cold, noinline));
/* Any MPI_Cancel or MPI_Request_free. */
void ork_misuse_cancel(const struct ork_call *call, const struct ork_request *request);
void ork_misuse_free(const struct ork_call *call, const struct ork_request *request);

#endif
