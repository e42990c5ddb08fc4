/* SPDX-License-Identifier: BSD-3-Clause */
/* Processors other than x86-64. The call instruction does not determine where its return address is
 * stored, so no frame has a known size: the general unwinder walks the stack, but not in a signal
 * handler. */
#include "interceptor/site/unwind.h"

uint32_t ork_frame_size(uintptr_t address)
{
    (void)address;
    return 0;
}

bool ork_frame_at(const void *context, struct ork_frame *frame)
{
    (void)context, (void)frame;
    return false;
}

bool ork_frame_here(struct ork_frame *frame)
{
    (void)frame;
    return false;
}

bool ork_frame_up(struct ork_frame *frame)
{
    (void)frame;
    return false;
}
