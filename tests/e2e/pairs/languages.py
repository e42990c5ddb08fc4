# SPDX-License-Identifier: BSD-3-Clause
"""The steps of cases as C or Fortran, one call a line. The window is `win`, of ints; the bytes are those of word `at`, or through a
derived datatype those of the words `at` and `at` + 2."""

import cases

C_HEAD = """\
#include <mpi.h>
static int rank, buffer[4096], tell, total, one = 1;
static volatile int seen;
static MPI_Win win;
static MPI_Request request;
static MPI_Datatype two;
static MPI_Group world;
static MPI_Group group_of(int n, int first, int second)
{
    int list[2] = {first, second};
    MPI_Group group;
    MPI_Group_incl(world, n, list, &group);
    return group;
}
int main(int argc, char **argv)
{
    int *memory;
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Win_allocate(4096 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 4096; i++) { memory[i] = 0; buffer[i] = 1; }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_commit(&two);"""
C_TAIL = """\
    MPI_Type_free(&two);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}"""

F_HEAD = """\
program pairs
use mpi_f08
use, intrinsic :: iso_c_binding
implicit none
integer, parameter :: far = MPI_ADDRESS_KIND
integer, asynchronous :: buffer(0:4095)
integer :: rank, told, ranks(2)
type(MPI_Win) :: win
type(MPI_Request) :: request
type(MPI_Datatype) :: two
type(MPI_Group) :: world, group
type(c_ptr) :: memory
integer(MPI_ADDRESS_KIND) :: room
call MPI_Init()
call MPI_Comm_rank(MPI_COMM_WORLD, rank)
call MPI_Comm_group(MPI_COMM_WORLD, world)
room = 4 * 4096
call MPI_Win_allocate(room, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win)
call MPI_Type_vector(2, 1, 2, MPI_INTEGER, two)
call MPI_Type_commit(two)"""
F_TAIL = """\
call MPI_Type_free(two)
call MPI_Group_free(world)
call MPI_Win_free(win)
call MPI_Finalize()
end program"""


def arguments_of(kind, words):
    """The arguments of an access; words: three buffers, where (target and displacement), what (count and type), type of a word."""
    buffer, other, third, where, what, word = words
    if kind in ("put", "rput", "get", "rget"):
        return [buffer, what, where, what]
    if kind in ("sum", "max", "rsum"):
        return [buffer, what, where, what, "MPI_" + cases.OPERATION[kind]]
    if kind == "swap":
        return [other, buffer, third, word, where]
    return [other, what, buffer, what, where, what, "MPI_SUM"]


NAME = {
    "put": "MPI_Put",
    "rput": "MPI_Rput",
    "get": "MPI_Get",
    "rget": "MPI_Rget",
    "sum": "MPI_Accumulate",
    "max": "MPI_Accumulate",
    "rsum": "MPI_Raccumulate",
    "fetch": "MPI_Get_accumulate",
    "swap": "MPI_Compare_and_swap",
}


# Accesses of the owner of the memory.
OWN = {
    "load": "seen = memory[{at}];",
    "store": "memory[{at}] = 1;",
    "increment": "memory[{at}]++;",
    "array": "for (int i = 0; i < 2; i++) total += memory[{at} + 2 * i];",
    "wait_and_store": "while (*(volatile int *)&memory[{at}] == 0) MPI_Win_sync(win); memory[{at}] = 0;",
    "if_then_store": "if (*(volatile int *)&memory[{at}] == 1) memory[{at}] = 0;",
}
# The flag of a case.
FLAG = {
    "set_flag": "MPI_Accumulate(&one, 1, MPI_INT, 2, {at} + 1, 1, MPI_INT, MPI_REPLACE, win);",
    "wait_flag": "while (*(volatile int *)&memory[{at} + 1] == 0) MPI_Win_sync(win);",
}


class C:
    suffix, head, tail = "c", C_HEAD, C_TAIL

    @staticmethod
    def access(kind, number, at, layout):
        what = "1, two" if layout == "typed" else "1, MPI_INT"
        own, other, third = (f"buffer + {16 * number + more}" for more in (0, 8, 4))
        words = (own, other, third, f"{cases.TARGET}, {at}", what, "MPI_INT")
        end = ["win", "&request"] if kind in ("rput", "rget", "rsum") else ["win"]
        return f"{NAME[kind]}({', '.join(arguments_of(kind, words) + end)});"

    @staticmethod
    def call(step):
        name, *ranks = step
        group = f"group = group_of({len(ranks)}, {ranks[0]}, {ranks[-1]}); " if ranks else ""
        target = ranks[0] if ranks else ""
        return {
            "fence": "MPI_Win_fence(0, win);",
            "fence_last": "MPI_Win_fence(MPI_MODE_NOSUCCEED, win);",
            "start": f"{group}MPI_Win_start(group, 0, win); MPI_Group_free(&group);",
            "post": f"{group}MPI_Win_post(group, 0, win); MPI_Group_free(&group);",
            "complete": "MPI_Win_complete(win);",
            "wait_win": "MPI_Win_wait(win);",
            "lock_shared": f"MPI_Win_lock(MPI_LOCK_SHARED, {target}, 0, win);",
            "lock_exclusive": f"MPI_Win_lock(MPI_LOCK_EXCLUSIVE, {target}, 0, win);",
            "unlock": f"MPI_Win_unlock({target}, win);",
            "lock_all": "MPI_Win_lock_all(0, win);",
            "unlock_all": "MPI_Win_unlock_all(win);",
            "flush": f"MPI_Win_flush({target}, win);",
            "flush_all": "MPI_Win_flush_all(win);",
            "flush_local": f"MPI_Win_flush_local({target}, win);",
            "flush_local_all": "MPI_Win_flush_local_all(win);",
            "sync": "MPI_Win_sync(win);",
            "wait": "MPI_Wait(&request, MPI_STATUS_IGNORE);",
            "send": f"MPI_Send(&tell, 1, MPI_INT, {target}, 0, MPI_COMM_WORLD);",
            "recv": f"MPI_Recv(&tell, 1, MPI_INT, {target}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        }[name]

    barrier = "MPI_Barrier(MPI_COMM_WORLD);"

    @staticmethod
    def only(rank):
        return f"if (rank == {rank}) {{", "}"


class Fortran:
    suffix, head, tail = "f90", F_HEAD, F_TAIL

    @staticmethod
    def access(kind, number, at, layout):
        what = "1, two" if layout == "typed" else "1, MPI_INTEGER"
        own, other, third = (f"buffer({16 * number + more})" for more in (0, 8, 4))
        words = (own, other, third, f"{cases.TARGET}, {at}_far", what, "MPI_INTEGER")
        end = ["win", "request"] if kind in ("rput", "rget", "rsum") else ["win"]
        return f"call {NAME[kind]}({', '.join(arguments_of(kind, words) + end)})"

    @classmethod
    def call(cls, step):
        """As C, with its own words."""
        name, *ranks = step
        if name in ("start", "post"):
            group = f"ranks = [{ranks[0]}, {ranks[-1]}]; call MPI_Group_incl(world, {len(ranks)}, ranks, group)"
            return f"{group}; call MPI_Win_{name}(group, 0, win); call MPI_Group_free(group)"
        text = C.call(step).removesuffix(";").replace("&tell", "told").replace("&", "").replace("MPI_INT,", "MPI_INTEGER,")
        return "call " + text

    barrier = "call MPI_Barrier(MPI_COMM_WORLD)"

    @staticmethod
    def only(rank):
        return f"if (rank == {rank}) then", "end if"


def write(language, all_cases, layout):
    """The source, and the pairs of lines that conflict, with the names of their cases."""
    lines = language.head.splitlines()
    expected, number = {}, 0
    for index, case in enumerate(all_cases):
        marked = []
        for rank, steps in sorted(case.steps.items()):
            begin, end = language.only(rank)
            lines.append(begin)
            for step in steps:
                if step[0] in OWN:
                    lines.append("    " + OWN[step[0]].format(at=4 * index))
                    marked.append(len(lines))
                elif step[0] in FLAG:
                    lines.append("    " + FLAG[step[0]].format(at=4 * index))
                elif step[0] in NAME:
                    lines.append("    " + language.access(step[0], number, 4 * index, layout))
                    marked.append(len(lines))
                    number += 1
                else:
                    lines.append("    " + language.call(step))
            lines.append(end)
        lines.append(language.barrier)
        assert len(marked) == 2, case
        if case.conflicts:
            expected[frozenset(marked)] = case.name
    return "\n".join(lines + language.tail.splitlines()) + "\n", expected
