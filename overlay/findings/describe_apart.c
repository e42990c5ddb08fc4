/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells two ranks apart that are in the same call at the same place. */
#include "overlay/findings/describe_internal.h"

#include <string.h>

static bool is_same_call(const struct ork_rank_row *a, const struct ork_rank_row *b)
{
    const struct ork_where *x = &a->where, *y = &b->where;
    bool is_same_file =
        x->file == y->file || (x->file != NULL && y->file != NULL && strcmp(x->file, y->file) == 0);

    return strcmp(a->call, b->call) == 0 && is_same_file && x->line == y->line;
}

bool ork_describe_is_same_comm(const struct ork_rank_row *a, const struct ork_rank_row *b)
{
    return a->comm == b->comm ||
           (a->comm != NULL && b->comm != NULL && strcmp(a->comm, b->comm) == 0);
}

/* The first caller of `a` that is not that of `b`; NULL: none is known. */
static const struct ork_where *other_caller(const struct ork_rank_row *a,
                                            const struct ork_rank_row *b)
{
    for (uint32_t i = 0; i < a->num_callers && i < b->num_callers; i++) {
        const struct ork_where *x = &a->caller[i], *y = &b->caller[i];
        if (x->line != y->line || x->file == NULL || y->file == NULL ||
            strcmp(x->file, y->file) != 0)
            return x->file != NULL && x->line != 0 ? x : NULL;
    }
    return NULL;
}

const char *ork_describe_apart(struct ork_writing *w, const struct ork_rank_row *a,
                               const struct ork_rank_row *b)
{
    if (!is_same_call(a, b))
        return "";
    if (!ork_describe_is_same_comm(a, b) && a->comm != NULL)
        return ork_say(w, SAYS_ON_COMM, TEXT('k', a->comm));
    const struct ork_where *caller = other_caller(a, b);
    if (caller == NULL)
        return "";
    const char *function = caller->function != NULL ? caller->function : "";
    return ork_say(w, SAYS_APART_CALLER, TEXT('c', ork_where_in(w, function, caller)));
}
