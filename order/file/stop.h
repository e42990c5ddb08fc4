/* SPDX-License-Identifier: BSD-3-Clause */
/* A choice of a recording, as --must:stop-at names it: RANK:CHOICE or RANK.THREAD:CHOICE. Pure. */
#ifndef ORK_ORDER_STOP_H
#define ORK_ORDER_STOP_H

#include "order/file/file.h"

struct ork_stop {
    uint32_t rank;   /* over all jobs */
    uint32_t thread; /* as in struct ork_choice */
    uint64_t choice; /* its number in this thread, from 1; 0: none is named */
};

/* False: `text` is not of that form, or a number is too large; or the choice is 0. */
bool ork_stop_read(const char *text, struct ork_stop *stop);

/* Is this choice in the recording? ORK_NOTFOUND: `why` is a sentence. ORK_INVALID: the stream of
 * the rank is invalid. ORK_NOMEM. */
enum ork_status ork_stop_find(const struct ork_order_file *file, const struct ork_stop *stop,
                              char why[ORK_ORDER_ERROR]);

#endif
