/* SPDX-License-Identifier: BSD-3-Clause */
/* Tell Orknot about loads and stores that the compiler does not instrument: those of assembly, of
 * other languages, and of libraries. Link with `pkg-config --libs orknot-memory`. Without the tool
 * the functions do nothing. See docs/how-to/loads-and-stores.md. */
#ifndef ORKNOT_MEMORY_H
#define ORKNOT_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread is about to read, or to write, `size` bytes from `address`. The place of the
 * call is the place of the access. */
void orknot_memory_load(const volatile void *address, size_t size);
void orknot_memory_store(const volatile void *address, size_t size);

#ifdef __cplusplus
}
#endif

#endif
