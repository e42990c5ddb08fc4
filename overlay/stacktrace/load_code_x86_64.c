/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/lower_bound.h"
#include "overlay/stacktrace/load_flow_x86_64.h"

#include <stdlib.h>
#include <string.h>

unsigned ork_code_family_of(unsigned reg, csh capstone)
{
    static const char *const name[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};
    const char *text = ork_disassembler()->reg_name(capstone, reg);
    unsigned number;

    if (text == NULL)
        return FAMILY_OTHER;
    if (strstr(text, "flags") != NULL)
        return FAMILY_FLAGS;
    if ((text[0] == 'x' || text[0] == 'y' || text[0] == 'z') && text[1] == 'm' && text[2] == 'm') {
        number = (unsigned)atoi(text + 3);
        return number < 32 ? FAMILY_VECTOR + number : FAMILY_OTHER;
    }
    if (text[0] == 'r' && text[1] >= '0' && text[1] <= '9') {
        number = (unsigned)atoi(text + 1);
        return number >= 8 && number < 16 ? number : FAMILY_OTHER;
    }
    for (unsigned i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
        const char *end = text[0] == 'r' || text[0] == 'e' ? text + 1 : text;
        if (strncmp(end, name[i], 2) == 0 && (end[2] == '\0' || end[2] == 'l'))
            return i;
        if (i < RSI && text[0] == name[i][0] && (text[1] == 'l' || text[1] == 'h') &&
            text[2] == '\0')
            return i;
    }
    return FAMILY_OTHER;
}

/* ---- the graph ---- */

bool ork_code_is_in(const cs_insn *i, unsigned group)
{
    for (unsigned k = 0; k < i->detail->groups_count; k++) {
        if (i->detail->groups[k] == group)
            return true;
    }
    return false;
}

bool ork_code_is_jump(const cs_insn *i)
{
    return ork_code_is_in(i, CS_GRP_JUMP);
}

bool ork_code_is_conditional(const cs_insn *i)
{
    return ork_code_is_jump(i) && i->id != X86_INS_JMP && i->id != X86_INS_LJMP;
}

bool ork_code_is_end(const cs_insn *i)
{
    return ork_code_is_in(i, CS_GRP_RET) || ork_code_is_in(i, CS_GRP_IRET) ||
           i->id == X86_INS_UD2 || i->id == X86_INS_HLT ||
           (ork_code_is_jump(i) && !ork_code_is_conditional(i));
}

bool ork_code_target(const cs_insn *i, uint64_t *target)
{
    const cs_x86 *x = &i->detail->x86;

    if (x->op_count != 1 || x->operands[0].type != X86_OP_IMM)
        return false;
    *target = (uint64_t)x->operands[0].imm;
    return true;
}

size_t ork_code_index_of(const struct ork_code_function *f, uint64_t address)
{
    ORK_LOWER_BOUND(low, (uint32_t)f->count, i, f->insn[i].address < address);
    return low < f->count && f->insn[low].address == address ? low : SIZE_MAX;
}

static bool is_inside(const struct ork_code_function *f, uint64_t address)
{
    return address >= f->code->address && address < f->code->address + f->code->size;
}

unsigned ork_code_successors(struct ork_code_function *f, size_t i, size_t next[2])
{
    const cs_insn *insn = &f->insn[i];
    unsigned n = 0;
    uint64_t target;

    if (ork_code_is_jump(insn)) {
        if (!ork_code_target(insn, &target))
            f->is_bad = true;
        else if (is_inside(f, target) && (next[n] = ork_code_index_of(f, target)) != SIZE_MAX)
            n++;
        else
            f->is_bad = true;
    }
    if (!ork_code_is_end(insn) && i + 1 < f->count)
        next[n++] = i + 1;
    return n;
}

bool ork_code_follow(struct ork_code_function *f, size_t start, bool *reached)
{
    size_t *stack = malloc((f->count + 2) * sizeof(*stack)), next[2], n = 0;

    if (stack == NULL)
        return false;
    stack[n++] = start;
    while (n > 0) {
        unsigned count = ork_code_successors(f, stack[--n], next);
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

/* RATIONALE: a function is short, so it is enough to repeat until nothing
 * changes. */
void ork_code_follow_back(struct ork_code_function *f, size_t end, bool *reaches)
{
    size_t next[2];
    bool changes = true;

    reaches[end] = true;
    while (changes) {
        changes = false;
        for (size_t i = f->count; i-- > 0;) {
            unsigned count = reaches[i] ? 0 : ork_code_successors(f, i, next);
            for (unsigned k = 0; k < count && !reaches[i]; k++)
                changes |= reaches[i] = reaches[next[k]];
        }
    }
}

/* ---- the frame ---- */

static bool is_register(const cs_x86_op *op, unsigned reg)
{
    return op->type == X86_OP_REG && op->reg == reg;
}

/* push rbp; mov rbp, rsp. RATIONALE: elsewhere, rbp is a register as any other. */
static bool find_frame(const struct ork_code_function *f)
{
    for (size_t i = 1; i < f->count && i < PROLOGUE; i++) {
        const cs_x86_op *op = f->insn[i].detail->x86.operands;
        if (f->insn[i].id == X86_INS_MOV && is_register(&op[0], X86_REG_RBP) &&
            is_register(&op[1], X86_REG_RSP))
            return f->insn[i - 1].id == X86_INS_PUSH &&
                   is_register(&f->insn[i - 1].detail->x86.operands[0], X86_REG_RBP);
    }
    return false;
}

static int32_t change_of_stack(const cs_insn *i)
{
    const cs_x86 *x = &i->detail->x86;
    bool is_rsp = x->op_count == 2 && x->operands[0].type == X86_OP_REG &&
                  x->operands[0].reg == X86_REG_RSP && x->operands[1].type == X86_OP_IMM;

    if (i->id == X86_INS_PUSH)
        return -8;
    if (i->id == X86_INS_POP)
        return 8;
    if (is_rsp && i->id == X86_INS_SUB)
        return (int32_t)-x->operands[1].imm;
    return is_rsp && i->id == X86_INS_ADD ? (int32_t)x->operands[1].imm : 0;
}

/* False: out of memory. */
static bool find_deltas(struct ork_code_function *f)
{
    size_t *stack = malloc((2 * f->count + 2) * sizeof(*stack)), next[2], n = 0;

    if (stack == NULL)
        return false;
    for (size_t i = 0; i < f->count; i++)
        f->delta[i] = NO_DELTA;
    f->delta[0] = 0;
    stack[n++] = 0;
    while (n > 0) {
        size_t i = stack[--n];
        int32_t after = f->delta[i] + change_of_stack(&f->insn[i]);
        unsigned count = ork_code_successors(f, i, next);
        for (unsigned k = 0; k < count; k++) {
            if (f->delta[next[k]] == NO_DELTA) {
                f->delta[next[k]] = after;
                stack[n++] = next[k];
            }
            f->is_bad |= !f->has_frame && f->delta[next[k]] != after;
        }
    }
    free(stack);
    return true;
}

bool ork_code_place_of(const struct ork_code_function *f, size_t i, const x86_op_mem *m,
                       int64_t *place)
{
    unsigned base = f->has_frame ? X86_REG_RBP : X86_REG_RSP;
    int64_t delta = f->has_frame ? 0 : f->delta[i];

    if (m->base != base || m->index != X86_REG_INVALID || delta == NO_DELTA)
        return false;
    *place = m->disp + delta + STACK - STACK_ABOVE;
    return *place >= 0 && *place < STACK;
}

bool ork_code_takes_address(const struct ork_code_function *f, size_t i, x86_op_mem *m)
{
    const cs_x86_op *op = f->insn[i].detail->x86.operands;

    if (f->insn[i].id == X86_INS_MOV && is_register(&op[1], X86_REG_RSP)) {
        *m = (x86_op_mem){.base = X86_REG_RSP, .index = X86_REG_INVALID};
        return !f->has_frame || !is_register(&op[0], X86_REG_RBP);
    }
    *m = op[1].mem;
    m->index = X86_REG_INVALID;
    return f->insn[i].id == X86_INS_LEA && (m->base == X86_REG_RBP || m->base == X86_REG_RSP);
}

static void note_passed(struct ork_code_function *f)
{
    for (size_t i = 0; i < f->count; i++) {
        x86_op_mem m;
        int64_t place;
        uint32_t k = 0;
        if (!ork_code_takes_address(f, i, &m) || !ork_code_place_of(f, i, &m, &place))
            continue;
        while (k < f->num_passed && f->passed[k] != place)
            k++;
        if (k == GLOBALS)
            f->is_bad = true;
        else if (k == f->num_passed)
            f->passed[f->num_passed++] = place;
    }
}

/* ---- a function ---- */

void ork_code_release(struct ork_code_function *f)
{
    const struct ork_disassembler *d = ork_disassembler();

    if (f->insn != NULL)
        d->free(f->insn, f->count);
    if (f->capstone != 0)
        d->close(&f->capstone);
    free(f->delta);
    free(f->from);
    free(f->to);
    free(f->in);
    free(f->is_seen);
}

bool ork_code_read(struct ork_code_function *f, const struct ork_code *code)
{
    const struct ork_disassembler *d = ork_disassembler();

    *f = (struct ork_code_function){.code = code};
    if (d == NULL || d->open(CS_ARCH_X86, CS_MODE_64, &f->capstone) != CS_ERR_OK)
        return false;
    d->option(f->capstone, CS_OPT_DETAIL, CS_OPT_ON);
    f->count = d->disasm(f->capstone, code->byte, code->size, code->address, 0, &f->insn);
    if (f->count == 0 || f->count > INSTRUCTIONS_MAX)
        return false;
    const cs_insn *last = &f->insn[f->count - 1];
    f->delta = calloc(f->count, sizeof(*f->delta));
    f->from = calloc(f->count, sizeof(*f->from));
    f->to = calloc(f->count, sizeof(*f->to));
    f->in = calloc(f->count, sizeof(*f->in));
    f->is_seen = calloc(f->count, sizeof(*f->is_seen));
    if (last->address + last->size != code->address + code->size || f->delta == NULL ||
        f->from == NULL || f->to == NULL || f->in == NULL || f->is_seen == NULL)
        return false;
    f->has_frame = find_frame(f);
    bool good = find_deltas(f);
    note_passed(f);
    return good && !f->is_bad;
}

struct ork_at ork_flow_at(const struct ork_code *code, uint64_t address)
{
    struct ork_code_function f;
    struct ork_at at = {.is_instruction = true, .is_in_loop = true};

    if (ork_code_read(&f, code)) {
        size_t i = ork_code_index_of(&f, address);
        at.is_instruction = i != SIZE_MAX;
        at.is_in_loop = at.is_instruction && (!ork_code_follow(&f, i, f.from) || f.from[i]);
    }
    ork_code_release(&f);
    return at;
}
