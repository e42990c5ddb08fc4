/* SPDX-License-Identifier: BSD-3-Clause */
/* capstone, the disassembler. RATIONALE: few runs need it, and to load it takes more page faults
 * than all else that a tool process does at its start. So it is opened by name. */
#ifndef ORK_OVERLAY_STACKTRACE_DISASSEMBLER_H
#define ORK_OVERLAY_STACKTRACE_DISASSEMBLER_H

#include <capstone/capstone.h>

/* Its functions: see capstone.h. */
struct ork_disassembler {
    __typeof__(cs_open) *open;
    __typeof__(cs_close) *close;
    __typeof__(cs_option) *option;
    __typeof__(cs_disasm) *disasm;
    __typeof__(cs_free) *free;
    __typeof__(cs_reg_name) *reg_name;
    __typeof__(cs_regs_access) *regs_access;
};

/* NULL: the library is not there. Static storage; it is never closed. */
const struct ork_disassembler *ork_disassembler(void);

#endif
