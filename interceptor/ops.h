/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of the hooks before and after the real call, by operation (the first word of `op:` in
 * the specification). The generated hooks include only this file. */
#ifndef ORK_OPS_H
#define ORK_OPS_H

#include "interceptor/buffers_coll.h"
#include "interceptor/check.h"
#include "interceptor/coll_steps.h"
#include "interceptor/op_coll.h"
#include "interceptor/op_comm.h"
#include "interceptor/op_file.h"
#include "interceptor/op_p2p.h"
#include "interceptor/op_probe.h"
#include "interceptor/op_process.h"
#include "interceptor/op_rma.h"
#include "interceptor/op_wait.h"
#include "interceptor/op_window.h"
#include "interceptor/steps.h"
#include "interceptor/type_checks.h"
#include "interceptor/window_steps.h"

/* All other symbols of this library are hidden from the application. */
#define ORK_HOOK __attribute__((visibility("default")))

#endif
