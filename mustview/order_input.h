/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of a run, which may contain anything. */
#ifndef ORK_MUSTVIEW_ORDER_INPUT_H
#define ORK_MUSTVIEW_ORDER_INPUT_H

#include "order/file/file.h"

/* Choices beyond this number are not shown. RATIONALE: a small file can contain as many as it
 * likes. */
#define ORK_VIEW_CHOICES_MAX (UINT64_C(1) << 31)

/* The order in this file. 0, and *file is the caller's; or an exit code, after an error message. */
int ork_view_load_order(const char *name, struct ork_order_file **file);

/* The hash of the choices of a rank (NULL: it has none), which the caller releases, whatever the
 * outcome. `left`: choices of the file that may still be shown, which become fewer. 0, or an exit
 * code, after an error message. */
int ork_view_hash_order(const char *name, const struct ork_order_rank *rank, uint64_t *left,
                        struct ork_order_hash *hash);

#endif
