/* SPDX-License-Identifier: BSD-3-Clause */
/* The entry point that libFuzzer looks for. Aborts on a wrong result; always returns 0. */
#ifndef ORK_FUZZ_ORDER_TARGET_H
#define ORK_FUZZ_ORDER_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
