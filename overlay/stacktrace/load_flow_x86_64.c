/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a value goes in a function. All is over-approximated, except in the direct flow: what only
 * calls could pass on is not followed there. */
#include "overlay/stacktrace/load_flow_x86_64.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t args = FAMILY_BIT(RDI) | FAMILY_BIT(RSI) | FAMILY_BIT(RDX) | FAMILY_BIT(RCX) |
                             FAMILY_BIT(R8) | FAMILY_BIT(R8 + 1) | UINT64_C(0xff) << FAMILY_VECTOR;
static const uint64_t results =
    FAMILY_BIT(RAX) | FAMILY_BIT(RDX) | FAMILY_BIT(FAMILY_VECTOR) | FAMILY_BIT(FAMILY_VECTOR + 1);
static const uint64_t clobbered = FAMILY_BIT(RAX) | FAMILY_BIT(RCX) | FAMILY_BIT(RDX) |
                                  FAMILY_BIT(RSI) | FAMILY_BIT(RDI) | UINT64_C(0xf) << R8 |
                                  UINT64_C(0xffffffff) << FAMILY_VECTOR | FAMILY_BIT(FAMILY_FLAGS) |
                                  FAMILY_BIT(FAMILY_OTHER);

/* ---- the flow ---- */

static int64_t count_bytes(const uint8_t *stack, int64_t place, int64_t size)
{
    int64_t n = 0;

    for (int64_t b = place; b < place + size && b < STACK; b++)
        n += stack[b / 8] >> b % 8 & 1;
    return n;
}

static bool has_bytes(const struct ork_code_state *s, int64_t place, int64_t size)
{
    return count_bytes(s->stack, place, size) > 0;
}

static void set_bytes(uint8_t *stack, int64_t place, int64_t size, bool is_set)
{
    for (int64_t b = place; b < place + size && b < STACK; b++) {
        uint8_t bit = (uint8_t)(1u << b % 8);
        stack[b / 8] = (uint8_t)(is_set ? stack[b / 8] | bit : stack[b / 8] & ~bit);
    }
}

/* The number of a variable; GLOBALS: it is none. */
static uint32_t global_of(struct ork_code_function *f, const cs_insn *i, const x86_op_mem *m)
{
    uint64_t address = i->address + i->size + (uint64_t)m->disp;
    bool is_constant = m->base == X86_REG_RIP && m->index == X86_REG_INVALID;
    uint32_t n = 0;

    if (!is_constant)
        return GLOBALS;
    while (n < f->num_globals && f->global[n] != address)
        n++;
    if (n == f->num_globals && n < GLOBALS)
        f->global[f->num_globals++] = address;
    return n;
}

static bool reads_from(struct ork_code_function *f, size_t i, const cs_x86_op *op,
                       const struct ork_code_state *s)
{
    int64_t place;

    if (ork_code_place_of(f, i, &op->mem, &place))
        return has_bytes(s, place, op->size);
    uint32_t n = global_of(f, &f->insn[i], &op->mem);
    if (n < GLOBALS && (s->globals >> n & 1) != 0)
        return true;
    return s->memory && (f->is_full || n == GLOBALS);
}

/* Is it the location that was loaded? RATIONALE: whoever loads it again makes a load of its own. */
static bool is_loaded_one(const struct ork_code_function *f, const x86_op_mem *m,
                          const struct ork_code_state *s)
{
    const x86_op_mem *l = f->loaded;

    return !f->is_full && l != NULL && m->index == X86_REG_INVALID && l->disp == m->disp &&
           (s->base_registers & FAMILY_BIT(ork_code_family_of(m->base, f->capstone))) != 0;
}

static void write_to(struct ork_code_function *f, size_t i, const cs_x86_op *op,
                     struct ork_code_state *s, bool is_set)
{
    int64_t place;

    if (ork_code_place_of(f, i, &op->mem, &place)) {
        set_bytes(s->stack, place, op->size, is_set);
        return;
    }
    uint32_t n = global_of(f, &f->insn[i], &op->mem);
    if (n < GLOBALS)
        s->globals = (s->globals & ~(UINT32_C(1) << n)) | (uint32_t)is_set << n;
    if ((n == GLOBALS || f->is_full) && !is_loaded_one(f, &op->mem, s))
        s->memory |= is_set;
}

static bool reads(const cs_x86_op *op)
{
    return op->access == 0 || (op->access & CS_AC_READ) != 0;
}

static bool writes(const cs_x86_op *op)
{
    return op->access == 0 || (op->access & CS_AC_WRITE) != 0;
}

static bool is_memory(const cs_insn *i, const cs_x86_op *op)
{
    return op->type == X86_OP_MEM && i->id != X86_INS_LEA && i->id != X86_INS_NOP;
}

static bool is_zeroing(const cs_insn *i)
{
    const cs_x86 *x = &i->detail->x86;

    return (i->id == X86_INS_XOR || i->id == X86_INS_PXOR || i->id == X86_INS_XORPS) &&
           x->op_count == 2 && x->operands[0].type == X86_OP_REG &&
           x->operands[1].type == X86_OP_REG && x->operands[0].reg == x->operands[1].reg;
}

/* Does the instruction use the value? */
static bool uses(struct ork_code_function *f, size_t i, const struct ork_code_state *s)
{
    const cs_insn *insn = &f->insn[i];
    const cs_x86 *x = &insn->detail->x86;
    cs_regs read, written;
    uint8_t reads_count, writes_count;

    if (is_zeroing(insn))
        return false;
    ork_disassembler()->regs_access(f->capstone, insn, read, &reads_count, written, &writes_count);
    for (unsigned k = 0; k < reads_count; k++) {
        if ((s->registers & FAMILY_BIT(ork_code_family_of(read[k], f->capstone))) != 0)
            return true;
    }
    for (unsigned k = 0; k < x->op_count; k++) {
        if (is_memory(insn, &x->operands[k]) && reads(&x->operands[k]) &&
            reads_from(f, i, &x->operands[k], s))
            return true;
    }
    return false;
}

/* Does whoever writes the register write all of it? */
static bool is_full_write(unsigned reg, csh capstone)
{
    const char *name = ork_disassembler()->reg_name(capstone, reg);
    size_t length = name == NULL ? 0 : strlen(name);

    return length > 0 && (name[0] == 'r' || name[0] == 'e') && name[length - 1] != 'b' &&
           name[length - 1] != 'w';
}

/* Does the operand hold the base of the address? */
static bool is_base(const struct ork_code_function *f, size_t i, const cs_x86_op *op,
                    const struct ork_code_state *s)
{
    int64_t place;

    if (op->size != 8)
        return false;
    if (op->type == X86_OP_REG)
        return (s->base_registers & FAMILY_BIT(ork_code_family_of(op->reg, f->capstone))) != 0;
    return op->type == X86_OP_MEM && ork_code_place_of(f, i, &op->mem, &place) &&
           count_bytes(s->base_stack, place, 8) == 8;
}

/* Follow the base, which only moves of 8 bytes copy. */
static void step_base(const struct ork_code_function *f, size_t i, struct ork_code_state *s,
                      const uint16_t *written, unsigned writes_count)
{
    const cs_x86 *x = &f->insn[i].detail->x86;
    bool is_copied =
        f->insn[i].id == X86_INS_MOV && x->op_count == 2 && is_base(f, i, &x->operands[1], s);
    int64_t place;

    for (unsigned k = 0; k < writes_count; k++)
        s->base_registers &= ~FAMILY_BIT(ork_code_family_of(written[k], f->capstone));
    for (unsigned k = 0; k < x->op_count; k++) {
        if (is_memory(&f->insn[i], &x->operands[k]) && writes(&x->operands[k]) &&
            ork_code_place_of(f, i, &x->operands[k].mem, &place))
            set_bytes(s->base_stack, place, x->operands[k].size, false);
    }
    if (is_copied && x->operands[0].type == X86_OP_REG)
        s->base_registers |= FAMILY_BIT(ork_code_family_of(x->operands[0].reg, f->capstone));
    else if (is_copied && ork_code_place_of(f, i, &x->operands[0].mem, &place))
        set_bytes(s->base_stack, place, 8, true);
}

static void step(struct ork_code_function *f, size_t i, struct ork_code_state *s)
{
    const cs_insn *insn = &f->insn[i];
    const cs_x86 *x = &insn->detail->x86;
    cs_regs read, written;
    uint8_t reads_count, writes_count;
    bool is_used = uses(f, i, s);

    ork_disassembler()->regs_access(f->capstone, insn, read, &reads_count, written, &writes_count);
    for (unsigned k = 0; k < writes_count; k++) {
        unsigned family = ork_code_family_of(written[k], f->capstone);
        bool is_overwritten = family == FAMILY_FLAGS || is_full_write(written[k], f->capstone);
        if (family == RSP)
            continue;
        if (is_used)
            s->registers |= FAMILY_BIT(family);
        else if (is_overwritten)
            s->registers &= ~FAMILY_BIT(family);
    }
    for (unsigned k = 0; k < x->op_count; k++) {
        if (is_memory(insn, &x->operands[k]) && writes(&x->operands[k]))
            write_to(f, i, &x->operands[k], s, is_used);
    }
    if (is_used && insn->id != X86_INS_MOV && insn->id != X86_INS_LEA)
        s->registers |= FAMILY_BIT(FAMILY_FLAGS); /* in case that they are not listed */
    step_base(f, i, s, written, writes_count);
    if (insn->id == X86_INS_PUSH && is_used && f->is_full)
        s->memory = true;
    if (insn->id == X86_INS_POP && f->is_full && s->memory)
        s->registers |= FAMILY_BIT(ork_code_family_of(x->operands[0].reg, f->capstone));
}

/* What a function that is called may do with what it can reach. */
static void call(struct ork_code_function *f, struct ork_code_state *s)
{
    bool has_argument = (s->registers & args) != 0, is_reached = false;

    for (uint32_t k = 0; f->is_full && k < f->num_passed; k++)
        is_reached |= has_bytes(s, f->passed[k], OBJECT_MOST);
    s->registers &= ~clobbered;
    s->base_registers &= ~clobbered;
    for (uint32_t k = 0; k < f->num_passed; k++)
        set_bytes(s->base_stack, f->passed[k], OBJECT_MOST, false);
    if (f->is_full)
        s->memory |= has_argument || is_reached || s->globals != 0;
    if (has_argument || (f->is_full && s->memory))
        s->registers |= results;
    for (uint32_t k = 0; f->is_full && s->memory && k < f->num_passed; k++)
        set_bytes(s->stack, f->passed[k], OBJECT_MOST, true);
}

static bool merge(struct ork_code_function *f, size_t i, const struct ork_code_state *s)
{
    struct ork_code_state *to = &f->in[i];
    bool changes = !f->is_seen[i];

    if (changes) { /* the base is there only if it is on all ways */
        to->base_registers = s->base_registers;
        memcpy(to->base_stack, s->base_stack, sizeof(to->base_stack));
    }
    f->is_seen[i] = true;
    changes |= (to->base_registers & ~s->base_registers) != 0;
    to->base_registers &= s->base_registers;
    changes |= (s->registers & ~to->registers) != 0 || (s->globals & ~to->globals) != 0 ||
               (s->memory && !to->memory);
    to->registers |= s->registers;
    to->globals |= s->globals;
    to->memory |= s->memory;
    for (size_t b = 0; b < sizeof(to->stack); b++) {
        changes |=
            (s->stack[b] & ~to->stack[b]) != 0 || (to->base_stack[b] & ~s->base_stack[b]) != 0;
        to->stack[b] |= s->stack[b];
        to->base_stack[b] &= s->base_stack[b];
    }
    return changes;
}

/* Is the loaded object on the stack? Then every operand may be the load. */
static bool is_stack_object(const struct ork_code_function *f, size_t call)
{
    for (size_t i = call;
         i-- > 0 && !ork_code_is_in(&f->insn[i], CS_GRP_CALL) && !ork_code_is_jump(&f->insn[i]);) {
        x86_op_mem m;
        if (ork_code_takes_address(f, i, &m))
            return true;
    }
    return false;
}

/* The instructions that load the value: the first one that reads outside of the frame, or all. */
static bool *find_loads(struct ork_code_function *f, size_t first)
{
    bool *loads = calloc(f->count, sizeof(*loads));
    bool all = is_stack_object(f, first - 1), is_found = false;
    int64_t place;

    for (size_t i = first; loads != NULL && i < f->count; i++) {
        const cs_x86 *x = &f->insn[i].detail->x86;
        for (unsigned k = 0; k < x->op_count; k++) {
            const cs_x86_op *op = &x->operands[k];
            if (is_memory(&f->insn[i], op) && reads(op) &&
                (all || !ork_code_place_of(f, i, &op->mem, &place))) {
                is_found = loads[i] = true;
                f->loaded = all ? NULL : &op->mem;
            }
        }
        if ((is_found && !all) || ork_code_is_in(&f->insn[i], CS_GRP_CALL) ||
            ork_code_is_end(&f->insn[i]) || ork_code_is_jump(&f->insn[i]))
            break;
    }
    if (is_found)
        return loads;
    free(loads);
    return NULL;
}

struct query {
    size_t first; /* the instruction after the call */
    const bool *loads;
    ork_callee_of *callee_of;
    void *context;
};

static void apply(struct ork_code_function *f, const struct query *q, size_t i,
                  struct ork_code_state *s)
{
    const cs_insn *insn = &f->insn[i];
    uint64_t target;

    if (ork_code_is_in(insn, CS_GRP_CALL)) {
        bool instruments = ork_code_target(insn, &target) &&
                           q->callee_of(q->context, target) != ORK_CALLEE_IS_OTHER;
        if (instruments) {
            s->registers &= ~clobbered;
            s->base_registers &= ~clobbered;
        } else {
            call(f, s);
        }
        return;
    }
    if (!q->loads[i]) {
        step(f, i, s);
        return;
    }
    bool has_base = f->loaded != NULL && f->loaded->index == X86_REG_INVALID;
    s->base_registers = has_base ? FAMILY_BIT(ork_code_family_of(f->loaded->base, f->capstone)) : 0;
    memset(s->base_stack, 0, sizeof(s->base_stack));
    struct ork_code_state loaded = *s;
    loaded.registers = ~UINT64_C(0); /* whatever it reads, it uses the value */
    step(f, i, &loaded);
    cs_regs read, written;
    uint8_t reads_count, writes_count;
    struct ork_code_state old = *s;
    step(f, i, s);
    ork_disassembler()->regs_access(f->capstone, insn, read, &reads_count, written, &writes_count);
    for (unsigned k = 0; k < writes_count; k++)
        s->registers |= FAMILY_BIT(ork_code_family_of(written[k], f->capstone)) & ~FAMILY_BIT(RSP);
    s->memory |= loaded.memory && !old.memory;
    s->globals |= loaded.globals;
    for (size_t b = 0; b < sizeof(s->stack); b++)
        s->stack[b] |= loaded.stack[b];
}

/* False: out of memory. */
static bool spread(struct ork_code_function *f, const struct query *q)
{
    size_t *work = malloc((f->count + 1) * sizeof(*work)), next[2], n = 0;
    bool *is_waiting = calloc(f->count, sizeof(*is_waiting));
    struct ork_code_state s = {0};
    bool good = work != NULL && is_waiting != NULL;

    memset(f->in, 0, f->count * sizeof(*f->in));
    memset(f->is_seen, 0, f->count * sizeof(*f->is_seen));
    if (good) {
        f->is_seen[q->first] = true;
        work[n++] = q->first;
    }
    while (n > 0) {
        size_t i = work[--n];
        is_waiting[i] = false;
        s = f->in[i];
        apply(f, q, i, &s);
        unsigned count = ork_code_successors(f, i, next);
        for (unsigned k = 0; k < count; k++) {
            if (!merge(f, next[k], &s) || is_waiting[next[k]])
                continue;
            is_waiting[next[k]] = true;
            work[n++] = next[k];
        }
    }
    free(work);
    free(is_waiting);
    return good;
}

/* The value at the end of the flow. `all`: of the function; else of the circle. */
static void judge_full(struct ork_code_function *f, struct ork_flow *flow)
{
    for (size_t i = 0; i < f->count; i++) {
        const cs_insn *insn = &f->insn[i];
        if (!f->is_seen[i])
            continue;
        bool is_decided = ork_code_is_conditional(insn) && uses(f, i, &f->in[i]);
        flow->is_repeated |= is_decided && f->from[i] && f->to[i];
        flow->leaves |= is_decided || f->in[i].memory || f->in[i].globals != 0;
        flow->leaves |= ork_code_is_in(insn, CS_GRP_RET) && (f->in[i].registers & results) != 0;
    }
}

static void judge_direct(struct ork_code_function *f, struct ork_flow *flow)
{
    for (size_t i = 0; i < f->count; i++) {
        const cs_insn *insn = &f->insn[i];
        if (!f->is_seen[i])
            continue;
        flow->decides |= ork_code_is_conditional(insn) && uses(f, i, &f->in[i]);
        flow->decides |=
            ork_code_is_in(insn, CS_GRP_RET) && (f->in[i].registers & FAMILY_BIT(RAX)) != 0;
    }
}

static struct ork_flow flow_in(struct ork_code_function *f, struct query *q)
{
    struct ork_flow flow = {0};

    ork_code_follow_back(f, q->first, f->to);
    if (!ork_code_follow(f, q->first, f->from))
        return flow;
    f->is_full = true;
    if (!spread(f, q))
        return flow;
    judge_full(f, &flow);
    f->is_full = false;
    if (!spread(f, q))
        return flow;
    judge_direct(f, &flow);
    flow.is_in_loop = f->from[q->first];
    flow.is_known = !f->is_bad;
    return flow;
}

/* Is it the call that says that a load follows? */
static bool is_load_call(const cs_insn *i, const struct query *q)
{
    uint64_t target;

    return ork_code_is_in(i, CS_GRP_CALL) && ork_code_target(i, &target) &&
           q->callee_of(q->context, target) == ORK_CALLEE_LOADS;
}

struct ork_flow ork_flow_of_load(const struct ork_code *code, uint64_t address,
                                 ork_callee_of *callee_of, void *context)
{
    struct ork_code_function f;
    struct ork_flow flow = {0};

    if (ork_code_read(&f, code)) {
        struct query q = {
            .first = ork_code_index_of(&f, address), .callee_of = callee_of, .context = context};
        bool *loads = NULL;
        bool is_load = q.first != SIZE_MAX && q.first > 0 && is_load_call(&f.insn[q.first - 1], &q);
        if (is_load)
            loads = find_loads(&f, q.first);
        q.loads = loads;
        if (loads != NULL)
            flow = flow_in(&f, &q);
        free(loads);
    }
    ork_code_release(&f);
    return flow;
}
