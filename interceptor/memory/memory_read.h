/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's memory, of which some may not be there for the processor: unmapped, without read
 * permission, or a device's. These functions cannot fault. They keep errno unless they fail. */
#ifndef ORK_INTERCEPTOR_MEMORY_READ_H
#define ORK_INTERCEPTOR_MEMORY_READ_H

#include <stdbool.h>
#include <stddef.h>

/* Copy bytes. False with errno: not all of them can be read; EFAULT: they are not there. */
bool ork_memory_copy(void *to, const void *from, size_t size);

/* The same for bytes at several addresses, of which `to` has room for all. */
struct iovec;
bool ork_memory_gather(void *to, const struct iovec *from, unsigned count);

/* Of so many bytes from an address that can be read: how many are before the first one that is in
 * no mapping of the process? */
size_t ork_memory_extent(const void *from, size_t size);

/* Can all bytes be read? RATIONALE: one system call for each 64 pages; where the kernel does not
 * answer, the MPI library will read them anyway. For arrays that are arguments. */
bool ork_memory_is_readable(const void *from, size_t size);

#endif
