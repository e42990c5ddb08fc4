/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: a file of its own, because these need libatomic: the linker takes it from the archive
 * only for a program that has such operations. Then that program needs libatomic itself. */
#include "interceptor/memory/runtime/atomic.h"

__extension__ typedef unsigned __int128 wide;

ORK_ATOMIC(wide, 128)
