/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/order_input.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "mustview/input.h"
#include "mustview/order_choices.h"

#include <inttypes.h>

int ork_view_load_order(const char *name, struct ork_order_file **file)
{
    char error[ORK_ORDER_ERROR];
    enum ork_status status = ork_order_file_read(name, file, error);

    return status == ORK_OK ? 0 : ork_view_refuse(name, status, error);
}

int ork_view_hash_order(const char *name, const struct ork_order_rank *rank, uint64_t *left,
                        struct ork_order_hash *hash)
{
    enum ork_status status = ork_choices_hash(rank, left, hash);

    if (status == ORK_OK)
        return 0;
    if (status == ORK_NOMEM)
        ork_error("%s: %s", name, ork_status_text(status));
    else if (*left == 0)
        ork_error("%s: it has more than %" PRIu64 " choices, which are too many to show", name,
                  ORK_VIEW_CHOICES_MAX);
    else
        ork_error("%s: the choices of rank %" PRIu32 " are damaged", name, rank->rank);
    return status == ORK_NOMEM ? ORK_EXIT_UNAVAILABLE : ORK_EXIT_USAGE;
}
