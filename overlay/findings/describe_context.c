/* SPDX-License-Identifier: BSD-3-Clause */
/* Additional details of a deadlock, and how the verdict was reached. */
#include "overlay/findings/describe_internal.h"

/* How the verdict was reached. */
static void set_basis(struct ork_writing *w, const struct ork_deadlock *dl, bool supposed,
                      struct ork_finding *f)
{
    static const enum ork_says says[] = {[ORK_BASIS_STRICT] = SAYS_BASIS_STRICT,
                                         [ORK_BASIS_RELAXED] = SAYS_BASIS_RELAXED,
                                         [ORK_BASIS_ASSUMED] = SAYS_BASIS_ASSUMED};
    bool relaxed = false, assumed = supposed;

    for (uint32_t i = 0; i < f->ranks.count; i++) {
        struct ork_rank_view v = ork_search_rank(w->d, dl->search, f->ranks.item[i]);
        relaxed |= v.depends_on_buffering;
        assumed |= v.assumed;
    }
    f->basis = assumed ? ORK_BASIS_ASSUMED : relaxed ? ORK_BASIS_RELAXED : ORK_BASIS_STRICT;
    f->basis_text = ork_writing_give_sentence(w, ork_plain(says[f->basis]));
}

/* Pending operations belong to the present state of the detector, not to a foreseen one. */
void ork_describe_add_context(struct ork_writing *w, const struct ork_deadlock *dl, bool supposed,
                              struct ork_finding *f)
{
    ork_describe_add_communicators(w, dl->search, f);
    ork_describe_add_remedies(w, dl, f);
    set_basis(w, dl, supposed, f);
}
