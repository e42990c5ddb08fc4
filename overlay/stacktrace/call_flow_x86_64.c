/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/call_flow.h"
#include "overlay/stacktrace/load_flow_x86_64.h"

#include <stdlib.h>

/* The call before a return address. SIZE_MAX: there is none. */
static size_t call_before(const struct ork_code_function *f, uint64_t address)
{
    size_t low = 0, high = f->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->insn[middle].address + f->insn[middle].size < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->count && f->insn[low].address + f->insn[low].size == address &&
                   ork_code_is_in(&f->insn[low], CS_GRP_CALL)
               ? low
               : SIZE_MAX;
}

/* What is reached from `start` and itself, if nothing goes on after `without`. False: out of
 * memory. */
static bool reach(struct ork_code_function *f, size_t start, size_t without, bool *reached)
{
    size_t *stack = malloc((f->count + 2) * sizeof(*stack)), next[2], n = 0;

    if (stack == NULL)
        return false;
    for (size_t i = 0; i < f->count; i++)
        reached[i] = false;
    reached[start] = true;
    stack[n++] = start;
    while (n > 0) {
        size_t i = stack[--n];
        unsigned count = i == without ? 0 : ork_code_successors(f, i, next);
        for (unsigned k = 0; k < count; k++) {
            if (reached[next[k]])
                continue;
            reached[next[k]] = true;
            stack[n++] = next[k];
        }
    }
    free(stack);
    return true;
}

static bool has_end(struct ork_code_function *f, const bool *reached, size_t without)
{
    size_t next[2];

    for (size_t i = 0; i < f->count; i++) {
        if (reached[i] && i != without && ork_code_successors(f, i, next) == 0)
            return true;
    }
    return false;
}

/* Is the second call reached only through the first one? */
static bool is_dominated(struct ork_code_function *f, size_t first, size_t second)
{
    return reach(f, 0, first, f->from) && !f->from[second] && reach(f, 0, SIZE_MAX, f->from) &&
           f->from[second];
}

/* Does the function come to its end after the first call, and only through the second one? */
static bool is_followed(struct ork_code_function *f, size_t first, size_t second)
{
    return reach(f, first, SIZE_MAX, f->from) && f->from[second] && has_end(f, f->from, SIZE_MAX) &&
           reach(f, first, second, f->from) && !has_end(f, f->from, second);
}

bool ork_flow_is_sequence(const struct ork_code *code, uint64_t first, uint64_t second)
{
    struct ork_code_function f;
    bool is_sequence = false;

    if (first == second)
        return false;
    if (ork_code_read(&f, code)) {
        size_t a = call_before(&f, first), b = call_before(&f, second);
        is_sequence =
            a != SIZE_MAX && b != SIZE_MAX && (is_dominated(&f, a, b) || is_followed(&f, a, b));
        is_sequence &= !f.is_bad;
    }
    ork_code_release(&f);
    return is_sequence;
}
