# SPDX-License-Identifier: BSD-3-Clause
"""Writes stubs of functions for x86-64, see OrkOnDemand.cmake: on_demand.py OUT LIBRARY FUNCTION...

A stub jumps to the function through a slot, as an entry of the procedure linkage table does. At first the slot leads to code that
keeps the registers of the arguments, has the function's address found, and puts that into the slot."""
import sys

# Those that may have an argument (System V ABI, AMD64 supplement, 3.2.3); al: how many of the second kind.
GENERAL = ["rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9"]
VECTOR = [f"xmm{i}" for i in range(8)]
NUMBER = 8 * len(GENERAL)  # where the function's number is kept
VECTORS = NUMBER + 8
FRAME = VECTORS + 16 * len(VECTOR)  # a multiple of 16


def move(to_stack):
    """Of all these registers to the stack, or back."""
    at = [(f"mov %{name}, ", f"{8 * i}(%rsp)") for i, name in enumerate(GENERAL)]
    at += [(f"movaps %{name}, ", f"{VECTORS + 16 * i}(%rsp)") for i, name in enumerate(VECTOR)]
    for instruction, place in at:
        verb, register = instruction.rstrip(", ").split(" ")
        yield f"    {verb} {register}, {place}" if to_stack else f"    {verb} {place}, {register}"


def stub(number, function):
    return f"""
    .globl {function}
    .hidden {function}
    .type {function}, @function
{function}:
    .cfi_startproc
    jmp *slot + {8 * number}(%rip)
first_{number}:
    movl ${number}, %r11d
    jmp first
    .cfi_endproc
    .size {function}, . - {function}"""


def find():
    return "\n".join([
        "first:",
        "    .cfi_startproc",
        "    push %rbp",
        "    .cfi_def_cfa_offset 16",
        "    .cfi_offset %rbp, -16",
        "    mov %rsp, %rbp",
        "    .cfi_def_cfa_register %rbp",
        f"    sub ${FRAME}, %rsp",
        *move(to_stack=True),
        f"    mov %r11, {NUMBER}(%rsp)",
        "    lea library(%rip), %rdi",
        "    lea name(%rip), %rsi",
        "    mov (%rsi,%r11,8), %rsi",
        "    call ork_on_demand_find@PLT",
        f"    mov {NUMBER}(%rsp), %r11",
        "    lea slot(%rip), %rdi",
        "    mov %rax, (%rdi,%r11,8)",
        "    mov %rax, %r11",
        *move(to_stack=False),
        "    leave",
        "    .cfi_def_cfa %rsp, 8",
        "    jmp *%r11",
        "    .cfi_endproc",
    ])


def text(library, functions):
    yield "    .section .rodata"
    yield f'library: .asciz "{library}"'
    for number, function in enumerate(functions):
        yield f'name_{number}: .asciz "{function}"'
    yield "    .section .data.rel.ro.local, \"aw\"\n    .balign 8\nname:"
    for number in range(len(functions)):
        yield f"    .quad name_{number}"
    yield "    .section .data.rel.local, \"aw\"\n    .balign 8\nslot:"
    for number in range(len(functions)):
        yield f"    .quad first_{number}"
    yield "    .text"
    yield find()
    for number, function in enumerate(functions):
        yield stub(number, function)
    yield '    .section .note.GNU-stack, "", @progbits\n'


def main():
    out, library, *functions = sys.argv[1:]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(text(library, functions)))


main()
