/* SPDX-License-Identifier: BSD-3-Clause */
/* The choices of an order's file, one after the other. */
#ifndef ORK_MUSTVIEW_ORDER_CHOICES_H
#define ORK_MUSTVIEW_ORDER_CHOICES_H

#include "order/file/file.h"

struct ork_choices {
    struct ork_order_decoder *decoder;
    bool is_filtered; /* only those of `thread` */
    uint32_t thread;
};

/* Those of one rank, which may be NULL: it has none. The caller releases it. ORK_NOMEM: there is
 * nothing to release. */
enum ork_status ork_choices_init(struct ork_choices *choices, const struct ork_order_rank *rank);
void ork_choices_release(struct ork_choices *choices);
/* ORK_NOTFOUND: there are no further ones; otherwise as ork_order_decode(). */
enum ork_status ork_choices_next(struct ork_choices *choices, struct ork_choice *choice);

/* The hash of all choices of a rank, which the caller releases, whatever the outcome; *left becomes
 * less by their number. ORK_INVALID: they are damaged, or, if *left is 0, too many. ORK_NOMEM. */
enum ork_status ork_choices_hash(const struct ork_order_rank *rank, uint64_t *left,
                                 struct ork_order_hash *hash);

#endif
