/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORK_FUZZ_DETECTOR_RECORDS_H
#define ORK_FUZZ_DETECTOR_RECORDS_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_RANKS = 4, FUZZ_ITEM = 65 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
