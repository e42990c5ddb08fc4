/* SPDX-License-Identifier: BSD-3-Clause */
/* Call sites in Python: file, function and line of the innermost frame outside the MPI package.
 * Uses the interpreter's stable C functions, found by name in the running process; this library is
 * not linked with Python. */
#ifndef ORK_PYTHON_H
#define ORK_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

struct ork_site;

/* The site of the calling thread's Python frame; without one (no interpreter, or one that is
 * ending) the site of the extension module's own code. Takes the interpreter's lock: the caller
 * holds no lock of ours. */
uint32_t ork_python_site(const struct ork_site *extension);

/* Is the loaded file an extension module? Module X is a file X.<anything> that exports PyInit_X. */
bool ork_python_is_extension(const char *path);

#endif
