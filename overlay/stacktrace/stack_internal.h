/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a stack: walk (stack_walk.c), name (stack_names.c, stack_symbol.c,
 * python.h), fold (stack_fold.c). */
#ifndef ORK_OVERLAY_STACKTRACE_STACK_INTERNAL_H
#define ORK_OVERLAY_STACKTRACE_STACK_INTERNAL_H

#include "overlay/stacktrace/python.h"
#include "overlay/stacktrace/stack.h"

#include <elfutils/libdwfl.h>

/* ---- walk ---- */

/* A return address, or where the thread is. */
struct ork_step {
    uint64_t address; /* in the file */
    uint64_t bias;    /* added to it in the process */
    bool is_call;     /* a return address: the call is before it */
    char *path;       /* NULL: in no file */
};

struct ork_walk {
    uint32_t pid, tid;   /* pid 0: the process has ended; use our namespace */
    const char *program; /* path of the executable; NULL: ask the process */
    uint32_t room;       /* steps at most */
    uint64_t deadline;   /* of ork_monotonic_ns() */
    struct ork_step *step;
    uint32_t num_steps;
    bool cut;
    uint64_t stopped_ns;
    char *reason; /* the caller's */
    size_t reason_size;
};

/* Write walk->reason, from the error of a system call. */
void ork_stack_walk_explain(const struct ork_walk *walk, int error);

/* ORK_DENIED (with a reason), ORK_NOMEM. */
enum ork_status ork_stack_walk_run(struct ork_walk *walk);
void ork_stack_walk_release(struct ork_walk *walk);

/* Name the steps of a walk, and keep the application's frames. ORK_NOMEM. */
enum ork_status ork_stack_name_steps(struct ork_stacks *stacks, const struct ork_walk *walk,
                                     const struct ork_stack_limits *limits, struct ork_stack *out);

/* Open a file that process `pid` has mapped, as that process sees it; 0: as we see it. -1: it
 * cannot be opened. */
int ork_stack_open(uint32_t pid, const char *path);

/* ---- name ---- */

/* The frames of one address: inlined calls, innermost first, then their outermost function. */
struct ork_place {
    struct ork_frame *frame; /* at least one; `module` is NULL */
    uint32_t num_frames;
};

/* A callback of libdwfl that finds no file. */
int ork_stack_no_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                           const char *file, const char *link, GElf_Word crc, char **out);

struct ork_names;

enum ork_status ork_stack_names_create(struct ork_names **out);
void ork_stack_names_destroy(struct ork_names *names);
/* Name a step of process `pid`. *place is owned by `names`, NULL if nothing is known. */
enum ork_status ork_stack_names_find(struct ork_names *names, uint32_t pid,
                                     const struct ork_step *step, const struct ork_place **place);

/* Addresses in the process of the symbols name[] of the step's file; false: not all found. */
bool ork_stack_names_locate(struct ork_names *names, uint32_t pid, const struct ork_step *step,
                            const char *const *name, uint64_t *address, uint32_t count);

/* The source name of a linker's symbol: "mod::sub" for "__mod_MOD_sub", "foo" for "foo_". The
 * caller's (free); NULL: out of memory. */
char *ork_symbol_source_name(const char *symbol);

/* ---- fold ---- */

/* A step and what is known of it. */
struct ork_level {
    const struct ork_step *step;
    const struct ork_place *place; /* NULL: nothing */
    const char *file;              /* its name without folders, "" if unknown */
    const char *function;          /* "" if unknown */
};

/* stack_owner.c: by the name of a file without its folder. The file belongs to an MPI library, its
 * layers or the interceptor; to the C library or the kernel; to either. */
bool ork_stack_is_mpi(const char *file);
bool ork_stack_is_system(const char *file);
bool ork_stack_is_foreign(const char *file);

/* The first level of the application, counted from the innermost; `program`: path of the
 * executable. */
uint32_t ork_stack_fold_first(const struct ork_level *level, uint32_t count, const char *program);
/* The number of levels without those outside main or a thread's function: those that the C library
 * called, or (the entry of a program, which may have no symbol) that only call it. */
uint32_t ork_stack_fold_last(const struct ork_level *level, uint32_t first, uint32_t count);

/* The Python frames of the thread, if levels of its interpreter are in the stack. */
enum ork_status ork_stack_fold_read_python(struct ork_names *names, const struct ork_level *level,
                                           uint32_t count, uint32_t pid, uint32_t tid,
                                           struct ork_python *out);
/* The interpreter's own functions are not shown: of consecutive ones one level remains, with the
 * Python frames that they run, or with the name <Python> if these are unknown. run[] has room for
 * `count` places. Returns the number of levels that remain. */
uint32_t ork_stack_fold_python(struct ork_level *level, uint32_t count,
                               const struct ork_python *python, struct ork_place *run);

#endif
