/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of the hooks before and after the real call, by operation (the first word of `op:` in
 * the specification). The generated hooks include only this file. */
#ifndef ORK_OPS_H
#define ORK_OPS_H

#include "interceptor/call/buffers_coll.h"
#include "interceptor/checks/check.h"
#include "interceptor/checks/check_displs.h"
#include "interceptor/checks/check_reach.h"
#include "interceptor/hooks/handle_calls.h"
#include "interceptor/hooks/op_coll.h"
#include "interceptor/hooks/op_comm.h"
#include "interceptor/hooks/op_file.h"
#include "interceptor/hooks/op_p2p.h"
#include "interceptor/hooks/op_probe.h"
#include "interceptor/process/op_process.h"
#include "interceptor/process/spawn.h"
#include "interceptor/hooks/op_rma.h"
#include "interceptor/hooks/release.h"
#include "interceptor/hooks/op_wait.h"
#include "interceptor/hooks/op_window.h"
#include "interceptor/fastpath/templates.h"
#include "interceptor/checks/type_checks.h"
#include "interceptor/fastpath/window_templates.h"
#include "interceptor/outcomes/error_handlers.h"

/* All other symbols of this library are hidden from the application. */
#define ORK_HOOK __attribute__((visibility("default")))

#endif
