/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's own frames of a thread of another process. Only this interface knows the interpreter.
 * cpython311.c supports one version; for others, no frames are read. */
#ifndef ORK_OVERLAY_STACKTRACE_PYTHON_H
#define ORK_OVERLAY_STACKTRACE_PYTHON_H

#include "overlay/stacktrace/stack.h"

/* ---- by names of files and functions ---- */

/* A file of the interpreter or an extension module: `file` has no folders. */
bool ork_python_has_file(const char *file);
bool ork_python_has_extension(const char *file);
/* The interpreter's function that runs frames. */
bool ork_python_is_evaluation(const char *function);

/* ---- frames ---- */

/* Symbols of the interpreter whose addresses in the process the reader needs. */
enum { ORK_PYTHON_SYMBOLS = 5 };
extern const char *const ork_python_symbol[ORK_PYTHON_SYMBOLS];

/* Frames of a thread, innermost first; is_entry: a call of the interpreter begins with it. */
struct ork_python {
    struct ork_frame *frame; /* `module` is NULL */
    bool *is_entry;
    uint32_t num_frames;
};

/* No frames if the version of the interpreter is unknown or they keep changing. ORK_NOMEM. */
enum ork_status ork_python_read(uint32_t pid, uint32_t tid,
                                const uint64_t address[ORK_PYTHON_SYMBOLS], struct ork_python *out);
void ork_python_release(struct ork_python *python);

#endif
