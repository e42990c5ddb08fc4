/* SPDX-License-Identifier: BSD-3-Clause */
/* Additional details of a deadlock, and how the verdict was reached. */
#include "overlay/findings/describe_internal.h"

#include <string.h>

/* How the verdict was reached. */
static enum ork_status set_basis(const struct ork_detector *d, const struct ork_deadlock *dl,
                                 bool supposed, struct ork_finding *f)
{
    bool relaxed = false, assumed = supposed;
    const char *text = "Strict: the verdict assumes that a standard send may wait for its receive "
                       "and a collective call for all of its ranks, unless the options of this run "
                       "say otherwise. It does not depend on what the MPI library did in this run.";

    for (uint32_t i = 0; i < f->ranks.count; i++) {
        struct ork_rank_view v = ork_search_rank(d, dl->search, f->ranks.item[i]);
        relaxed |= v.depends_on_buffering;
        assumed |= v.assumed;
    }
    f->basis = ORK_BASIS_STRICT;
    if (relaxed) {
        f->basis = ORK_BASIS_RELAXED;
        text =
            "Relaxed: some of these ranks reached this point only because an earlier call returned "
            "although MPI allows it to wait longer: a standard send for its receive, a collective "
            "call for all of its ranks. The verdict takes that call as it happened in this run.";
    }
    if (assumed) {
        f->basis = ORK_BASIS_ASSUMED;
        text = "Assumed: the verdict depends on something that the tool cannot observe: which "
               "message a wildcard receive takes, what a rank would do after another message, or "
               "why a rank polls or sleeps.";
    }
    f->basis_text = strdup(text);
    return f->basis_text == NULL ? ORK_NOMEM : ORK_OK;
}

/* Pending operations belong to the present state of the detector, not to a foreseen one. */
enum ork_status ork_describe_add_context(const struct ork_detector *d, struct ork_call_sites *sites,
                                         const struct ork_deadlock *dl, bool supposed,
                                         struct ork_finding *f)
{
    enum ork_status status = ork_describe_add_communicators(d, sites, dl->search, f);

    if (status == ORK_OK)
        status = ork_describe_add_remedies(d, sites, dl, f);
    return status == ORK_OK ? set_basis(d, dl, supposed, f) : status;
}
