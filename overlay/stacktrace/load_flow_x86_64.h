/* SPDX-License-Identifier: BSD-3-Clause */
/* The instructions of a function of x86-64 (capstone): their successors, and places in the frame.
 */
#ifndef ORK_OVERLAY_STACKTRACE_LOAD_FLOW_X86_64_H
#define ORK_OVERLAY_STACKTRACE_LOAD_FLOW_X86_64_H

#include "overlay/stacktrace/disassembler.h"
#include "overlay/stacktrace/load_flow.h"

enum {
    INSTRUCTIONS_MAX = 4096,
    STACK = 4096,      /* bytes of the frame that are followed, */
    STACK_ABOVE = 512, /* of which so many are above its first one */
    OBJECT_MOST = 64,  /* bytes of an object whose address is passed on */
    GLOBALS = 32,      /* variables at constant addresses */
    PROLOGUE = 8,      /* instructions that may set the frame pointer */
    NO_DELTA = INT32_MAX,
    FAMILY_VECTOR = 16, /* numbers of registers: general ones, vectors, */
    FAMILY_FLAGS = 48,
    FAMILY_OTHER, /* all others are one */
};
#define FAMILY_BIT(n) (UINT64_C(1) << (n))
enum { RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP, R8 };

/* Where the value may be, and where the base of its address certainly is. */
struct ork_code_state {
    uint64_t registers, base_registers;
    uint32_t globals;
    bool memory; /* elsewhere in memory */
    uint8_t stack[STACK / 8], base_stack[STACK / 8];
};

struct ork_code_function {
    const struct ork_code *code;
    csh capstone;
    cs_insn *insn;
    size_t count;
    bool is_bad;               /* it has instructions whose successors are not known */
    bool has_frame;            /* rbp is the frame pointer */
    int32_t *delta;            /* of rsp since the entry, before each instruction */
    bool *from, *to;           /* reached from the load; reaches it */
    struct ork_code_state *in; /* before each instruction */
    bool *is_seen;
    int64_t passed[GLOBALS]; /* places of the frame whose address is taken */
    uint32_t num_passed;
    uint64_t global[GLOBALS];
    uint32_t num_globals;
    bool is_full;             /* not the direct flow */
    const x86_op_mem *loaded; /* the operand of the load; NULL: there are several */
};

/* False: it is not known. Release it in any case. */
bool ork_code_read(struct ork_code_function *f, const struct ork_code *code);
void ork_code_release(struct ork_code_function *f);

/* The number of a register: partial ones have that of the whole. */
unsigned ork_code_family_of(unsigned reg, csh capstone);
bool ork_code_is_in(const cs_insn *i, unsigned group);
bool ork_code_is_jump(const cs_insn *i);
bool ork_code_is_conditional(const cs_insn *i);
/* Does the next instruction not follow? */
bool ork_code_is_end(const cs_insn *i);
/* Where it leads. False: that is computed. */
bool ork_code_target(const cs_insn *i, uint64_t *target);
/* SIZE_MAX: there is none. */
size_t ork_code_index_of(const struct ork_code_function *f, uint64_t address);
/* At most two. Returns their number; sets f->is_bad if there may be others. */
unsigned ork_code_successors(struct ork_code_function *f, size_t i, size_t next[2]);
/* What is reached from `start`; `start` itself only along a circle. False: out of memory. */
bool ork_code_follow(struct ork_code_function *f, size_t start, bool *reached);
/* What reaches `end`, and itself. */
void ork_code_follow_back(struct ork_code_function *f, size_t end, bool *reaches);
/* Does the instruction keep an address of the frame? *m: which, without its index. */
bool ork_code_takes_address(const struct ork_code_function *f, size_t i, x86_op_mem *m);
/* The place in the frame of an operand; false: it is elsewhere. */
bool ork_code_place_of(const struct ork_code_function *f, size_t i, const x86_op_mem *m,
                       int64_t *place);

#endif
