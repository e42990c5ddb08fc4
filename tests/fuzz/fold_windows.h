/* SPDX-License-Identifier: BSD-3-Clause */
/* Two followers of one-sided accesses: one gets every record, the other one those that a fold lets
 * through before the first window. Then both get the same accesses and messages, and have to find
 * the same conflicts. */
#ifndef ORK_FUZZ_FOLD_WINDOWS_H
#define ORK_FUZZ_FOLD_WINDOWS_H

#include "onesided/onesided.h"
#include "tests/fuzz/wfg_random.h"

struct windows {
    struct ork_onesided *plain, *folded;
    uint32_t ranks;
    uint64_t conflicts; /* that both found */
};

void windows_create(struct windows *w, uint32_t ranks);
void windows_destroy(struct windows *w);
/* NULL: nothing happens. */
void windows_feed(struct ork_onesided *o, uint32_t rank, const struct ork_record *record, size_t n);
/* After all records of a program. Without windows, nothing happens. The first difference (static
 * storage); NULL: none. */
const char *windows_compare(struct windows *w, struct wfg_random *random);

#endif
