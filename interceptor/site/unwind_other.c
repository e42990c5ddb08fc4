/* SPDX-License-Identifier: BSD-3-Clause */
/* Processors other than x86-64. The call instruction does not determine where its return address is
 * stored, so no frame has a known size: the general unwinder walks the stack. */
#include "interceptor/site/unwind.h"

#include <ucontext.h>

uint32_t ork_frame_size(uintptr_t address)
{
    (void)address;
    return 0;
}

#ifdef __aarch64__
uintptr_t ork_unwind_pc(const void *context)
{
    const ucontext_t *at = context;

    return (uintptr_t)at->uc_mcontext.pc;
}
#else
uintptr_t ork_unwind_pc(const void *context)
{
    (void)context;
    return 0;
}
#endif
