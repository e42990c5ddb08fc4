/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/requests/stored.h"

_Thread_local struct ork_stored ork_stored[ORK_STORED_KEPT]
    __attribute__((tls_model("initial-exec")));
