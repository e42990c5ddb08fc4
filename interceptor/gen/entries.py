# SPDX-License-Identifier: BSD-3-Clause
"""Writes the entries of the preload file: for each name a jump through a table. See docs/explanation/mpi-libraries.md."""

import re

HEAD = "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by interceptor/gen from interceptor/spec. */\n"
# A function of C, and not a callback or a function of a Fortran layer, whose names are in capitals.
C_NAME = re.compile(r"MPIX?_(T_[a-z]|[A-Z][a-z])\w*$")

# Each entry keeps all registers and the stack. The code that is behind each place of the table at first puts the number of the entry
# where no argument is, and goes to ork_jump_lazy, which keeps all registers that may have arguments.
PROCESSORS = {
    "__x86_64__": {
        "entry": "jmp *ork_jump_table+{offset}(%rip)",
        "lazy": "movl ${number}, %r11d; jmp ork_jump_lazy",
        "common": """
ork_jump_lazy:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rdi; pushq %rsi; pushq %rdx; pushq %rcx; pushq %r8; pushq %r9; pushq %r10; pushq %rax
    subq $128, %rsp
    movups %xmm0, (%rsp); movups %xmm1, 16(%rsp); movups %xmm2, 32(%rsp); movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp); movups %xmm5, 80(%rsp); movups %xmm6, 96(%rsp); movups %xmm7, 112(%rsp)
    movl %r11d, %edi
    movq 8(%rbp), %rsi
    call ork_jump_resolve
    movq %rax, %r11
    movups (%rsp), %xmm0; movups 16(%rsp), %xmm1; movups 32(%rsp), %xmm2; movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4; movups 80(%rsp), %xmm5; movups 96(%rsp), %xmm6; movups 112(%rsp), %xmm7
    addq $128, %rsp
    popq %rax; popq %r10; popq %r9; popq %r8; popq %rcx; popq %rdx; popq %rsi; popq %rdi
    popq %rbp
    .cfi_def_cfa %rsp, 8
    jmp *%r11
    .cfi_endproc
""",
    },
    "__aarch64__": {
        "entry": "adrp x16, ork_jump_table+{offset}; ldr x16, [x16, #:lo12:ork_jump_table+{offset}]; br x16",
        "lazy": "mov w17, #{number}; b ork_jump_lazy",
        "common": """
ork_jump_lazy:
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]; stp x2, x3, [sp, #32]; stp x4, x5, [sp, #48]; stp x6, x7, [sp, #64]; str x8, [sp, #80]
    stp q0, q1, [sp, #96]; stp q2, q3, [sp, #128]; stp q4, q5, [sp, #160]; stp q6, q7, [sp, #192]
    mov w0, w17
    mov x1, x30
    bl ork_jump_resolve
    mov x16, x0
    ldp q0, q1, [sp, #96]; ldp q2, q3, [sp, #128]; ldp q4, q5, [sp, #160]; ldp q6, q7, [sp, #192]
    ldp x0, x1, [sp, #16]; ldp x2, x3, [sp, #32]; ldp x4, x5, [sp, #48]; ldp x6, x7, [sp, #64]; ldr x8, [sp, #80]
    ldp x29, x30, [sp], #224
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    br x16
    .cfi_endproc
""",
    },
}


def of_mpi(functions, names):
    """The C names of MPI, each with its profiling name, whose they are, and the call: (name, owner, call). Some are left to the library."""
    owned = [(f.name, "MPI") for f in functions] + [(n, "LOCAL") for n in names.local] + [(n, "NEWER") for n in names.newer]
    return [(prefix + name, owner, "NONE" if owner == "LOCAL" else name)
            for name, owner in owned if C_NAME.match(name) for prefix in ("", "P")]


def definitions(entries):
    """The list of the entries: ORK_ENTRY(name, owner, call)."""
    return HEAD + "".join(f"ORK_ENTRY({', '.join(entry)})\n" for entry in entries)


def _code(names, templates):
    yield "ork_entries_begin:\n"
    for number, name in enumerate(names):
        yield f"    .p2align 4\n    .globl {name}\n    .type {name}, %function\n{name}:\n"
        yield f"    {templates['entry'].format(offset=8 * number)}\n    .size {name}, . - {name}\n"
    yield "ork_entries_end:\n"
    for number in range(len(names)):
        yield f".Lork_jump_first_{number}: {templates['lazy'].format(number=number)}\n"
    yield templates["common"]


def assembly(names):
    """The entries for each processor, and the table."""
    hidden = ("ork_jump_table", "ork_jump_resolve", "ork_entries_begin", "ork_entries_end")
    out = [HEAD, "    .text\n", *(f"    .hidden {name}\n    .globl {name}\n" for name in hidden)]
    for i, (macro, templates) in enumerate(PROCESSORS.items()):
        out += [f"#{'el' if i else ''}if defined({macro})\n", *_code(names, templates)]
    out += ["#else\n#error the entries of the preload file are not written for this processor\n#endif\n",
            '    .section .data, "aw"\n    .p2align 6\n    .type ork_jump_table, %object\nork_jump_table:\n']
    out += [f"    .quad .Lork_jump_first_{number}\n" for number in range(len(names))]
    return "".join(out) + '    .size ork_jump_table, . - ork_jump_table\n    .section .note.GNU-stack, "", %progbits\n'
