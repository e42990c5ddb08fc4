/* SPDX-License-Identifier: BSD-3-Clause */
/* What the stand-ins for CUDA's driver and HIP's runtime have. Their device memory is the host's,
 * so that any MPI library can send it. */
#ifndef ORK_TEST_RUNTIMES_H
#define ORK_TEST_RUNTIMES_H

#include <stddef.h>
#include <stdint.h>

int cuMemAlloc_v2(uintptr_t *address, size_t bytes);
int cuMemAllocManaged(uintptr_t *address, size_t bytes, unsigned flags);
int cuMemFree_v2(uintptr_t address);
int cuPointerGetAttribute(void *value, int attribute, uintptr_t address);

struct hip_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    int is_managed;
    unsigned flags;
};
int hipMalloc(void **address, size_t bytes);
int hipMallocManaged(void **address, size_t bytes, unsigned flags);
int hipFree(void *address);
int hipPointerGetAttributes(struct hip_attributes *attributes, const void *address);
int hipPeekAtLastError(void);
int hipGetLastError(void);

#endif
