/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pairs of accesses are erroneous: MPI-3.1 sections 11.3, 11.7, 11.7.1 and 11.7.2, in the
 * unified memory model. */
#include "windows/onesided/internal.h"

static bool is_own_order(const struct access *a, const struct access *b)
{
    const struct place *p = &a->window->place[ork_window_member(a->window, a->partner)];

    return a->seen.rank == b->seen.rank && a->window == b->window && !p->is_unordered;
}

/* May two accumulates with this operation and another one be concurrent? An unknown one counts as
 * equal. */
static bool may_be_any(uint32_t op)
{
    return op == ORK_REDUCTION_NONE || op == ORK_REDUCTION_USER_DEFINED ||
           op == ORK_REDUCTION_MPI_NO_OP || op == REDUCTION_SWAP;
}

/* Where its elements begin, by the remainder of the address and their size. False: not at one
 * remainder, or it is not known. RATIONALE: elements of an access do not overlap, so each block of
 * its bytes begins with one. */
static bool element_phase(const struct access *a, int64_t size, int64_t *phase)
{
    const struct ork_pattern *p = a->pattern;

    *phase = (int64_t)a->low % size;
    if (p == NULL)
        return true;
    for (uint32_t i = 0; i < p->set.num_runs; i++) {
        const struct ork_run *run = &p->set.run[i];
        if (run->low % size != 0 || run->length % size != 0)
            return false;
        for (uint32_t d = 0; d < run->num_dims; d++) {
            if (p->set.dim[run->dim + d].stride % size != 0)
                return false;
        }
    }
    return p->count == 1 || p->stride % size == 0;
}

/* Two accumulates of one type that have bytes in common: is an element of one of them certainly in
 * two of the other? */
static bool overlap_in_part(const struct access *a, const struct access *b)
{
    int64_t size = ork_access_type_size(a->seen.type), first, second;

    return a->seen.type == b->seen.type && size > 0 && element_phase(a, size, &first) &&
           element_phase(b, size, &second) && first != second;
}

/* Two accumulates. RATIONALE: those of one rank are ordered, but only for each datatype (MPI-3.1
 * section 11.7.2); those of two are atomic if they have the same one, and the same elements
 * (11.7.1). An unknown operation or type counts as equal. */
static enum ork_conflict_kind judge_accumulates(const struct access *a, const struct access *b)
{
    const struct ork_touched *x = &a->seen, *y = &b->seen;
    bool any_op = may_be_any(x->op) || may_be_any(y->op);

    if (a->window != b->window)
        return ORK_CONFLICT_UNORDERED;
    if (!is_own_order(a, b) && ((!any_op && x->op != y->op) || overlap_in_part(a, b)))
        return ORK_CONFLICT_UNORDERED;
    if (x->type == y->type || x->type == 0 || y->type == 0)
        return ORK_CONFLICT_NONE;
    return ork_access_types_are_alike(x->type, y->type) ? ORK_CONFLICT_BY_NAME
                                                        : ORK_CONFLICT_UNORDERED;
}

/* A load or store of a rank, and an access to its memory by a call. RATIONALE: in passive epochs a
 * rank may wait until an update shows in its memory, and another one may wait until a store shows
 * in what it gets (MPI-3.1 section 11.7). Such pairs are not ordered, and right. A rank may also
 * wait in this way for the element that it then receives a message into. Buffers of the rank itself
 * are compared by the interceptor. */
static bool is_allowed_with_plain(const struct access *plain, const struct access *other)
{
    bool both_update = !ork_access_reads(plain) && !ork_access_reads(other);
    bool is_element = other->high - other->low <= ELEMENT_MOST;

    if (other->seen.touch == ORK_TOUCH_READ || other->seen.touch == ORK_TOUCH_WRITE ||
        ork_access_is_plain(other))
        return true;
    return plain->seen.rank != other->seen.rank && ork_access_is_passive(other) &&
           (!both_update || (plain->is_message && is_element));
}

enum ork_conflict_kind ork_rules_judge(const struct access *a, const struct access *b)
{
    bool only_read = ork_access_reads(a) && ork_access_reads(b);

    if (only_read)
        return ORK_CONFLICT_NONE;
    if (ork_access_is_plain(a) || ork_access_is_plain(b)) {
        const struct access *plain = ork_access_is_plain(a) ? a : b;
        return is_allowed_with_plain(plain, plain == a ? b : a) ? ORK_CONFLICT_NONE
                                                                : ORK_CONFLICT_UNORDERED;
    }
    if (a->op_id == b->op_id)
        return ORK_CONFLICT_NONE;
    if (a->seen.touch == ORK_TOUCH_ACCUMULATE && b->seen.touch == ORK_TOUCH_ACCUMULATE)
        return judge_accumulates(a, b);
    return ORK_CONFLICT_UNORDERED;
}

const struct access *ork_rules_waiting(const struct access *a, const struct access *b)
{
    const struct access *load = ork_access_is_plain(a) ? a : b, *update = load == a ? b : a;
    bool is_load = load->seen.touch == ORK_TOUCH_LOAD && !load->is_message;
    bool is_update = update->seen.touch == ORK_TOUCH_PUT ||
                     (update->seen.touch == ORK_TOUCH_ACCUMULATE && !ork_access_reads(update));

    return is_load && is_update && load->seen.rank != update->seen.rank ? load : NULL;
}
