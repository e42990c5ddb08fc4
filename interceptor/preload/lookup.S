/* SPDX-License-Identifier: BSD-3-Clause */
/* dlsym() of the program: asks ork_lookup_handle() where to look the name up, and goes on with the
 * real one. RATIONALE: by a jump, since that tells its caller by the return address. */
    .text
    .hidden ork_lookup_handle
    .hidden ork_real_dlsym
    .p2align 4
    .globl dlsym
    .type dlsym, %function
dlsym:
    .cfi_startproc
#if defined(__x86_64__)
    pushq %rsi
    .cfi_def_cfa_offset 16
    movq 8(%rsp), %rdx
    call ork_lookup_handle
    movq %rax, %rdi
    popq %rsi
    .cfi_def_cfa_offset 8
    jmp *ork_real_dlsym(%rip)
#elif defined(__aarch64__)
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset x29, -32
    .cfi_offset x30, -24
    mov x29, sp
    str x1, [sp, #16]
    mov x2, x30
    bl ork_lookup_handle
    ldr x1, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    adrp x16, ork_real_dlsym
    ldr x16, [x16, #:lo12:ork_real_dlsym]
    br x16
#else
#error dlsym of the preload file is not written for this processor
#endif
    .cfi_endproc
    .size dlsym, . - dlsym
    .section .note.GNU-stack, "", %progbits
