/* SPDX-License-Identifier: BSD-3-Clause */
/* The values are those of cuda.h (CUDA 4.0 to 13), hip_runtime_api.h (ROCm 4 to 7) and hsa.h. */
#include "interceptor/memory/devices.h"

#include "interceptor/ring/recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

enum { CU_MEMORY_TYPE = 2, CU_IS_MANAGED = 8, CU_DEVICE = 2 };
enum { HSA_VERSION_MAJOR = 0 };

/* The first fields of hipPointerAttribute_t, which may be longer. */
struct hip_attributes {
    int type;
    int device;
    void *device_pointer, *host_pointer;
    int is_managed;
    char rest[256];
};

static struct {
    int (*attribute)(void *value, int attribute, uintptr_t address);
} cuda;
static struct {
    int (*attributes)(struct hip_attributes *attributes, const void *address);
    int (*peek_error)(void);
    int (*take_error)(void);
    int (*hsa_info)(int what, void *value);
    int device_type; /* the value that means memory of a device */
} hip;

bool ork_devices_exist;

/* ---- the runtimes ---- */

static void *loaded(const char *name)
{
    return dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
}

static void find(void *library, const char *symbol, void *function)
{
    void *found = library != NULL ? dlsym(library, symbol) : NULL;

    memcpy(function, &found, sizeof(found));
}

static void find_hip(void)
{
    static const struct {
        const char *name;
        int device_type;
    } known[] = {{"libamdhip64.so.4", 1},
                 {"libamdhip64.so.5", 1},
                 {"libamdhip64.so.6", 2},
                 {"libamdhip64.so.7", 2}};
    void *library = NULL;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && library == NULL; i++) {
        library = loaded(known[i].name);
        hip.device_type = known[i].device_type;
    }
    find(library, "hipPeekAtLastError", &hip.peek_error);
    find(library, "hipGetLastError", &hip.take_error);
    find(library, "hipPointerGetAttributes", &hip.attributes);
    find(loaded("libhsa-runtime64.so.1"), "hsa_system_get_info", &hip.hsa_info);
    if (hip.peek_error == NULL || hip.take_error == NULL)
        hip.attributes = NULL;
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *loads)
{
    (void)size;
    *(unsigned long long *)loads = info->dlpi_adds;
    return 1;
}

void ork_devices_look(void)
{
    static unsigned long long seen;
    unsigned long long loads = 0;
    int saved = errno;

    dl_iterate_phdr(count_loads, &loads);
    if (loads != seen) {
        seen = loads;
        if (cuda.attribute == NULL)
            find(loaded("libcuda.so.1"), "cuPointerGetAttribute", &cuda.attribute);
        if (hip.attributes == NULL)
            find_hip();
        ork_devices_exist = cuda.attribute != NULL || hip.attributes != NULL;
    }
    errno = saved;
}

/* ---- memory ---- */

static enum ork_device ask_cuda(uintptr_t address)
{
    unsigned type = 0, is_managed = 0;

    if (cuda.attribute == NULL || cuda.attribute(&type, CU_MEMORY_TYPE, address) != 0)
        return ORK_DEVICE_NONE;
    if (cuda.attribute(&is_managed, CU_IS_MANAGED, address) == 0 && (is_managed & 1) != 0)
        return ORK_DEVICE_CUDA_MANAGED;
    return type == CU_DEVICE ? ORK_DEVICE_CUDA : ORK_DEVICE_NONE;
}

/* RATIONALE: a question about memory of the host sets the error that the program may look at next,
 * and the first question would initialise the device. */
static bool may_ask_hip(void)
{
    uint16_t version = 0;

    return hip.attributes != NULL &&
           (hip.hsa_info == NULL || hip.hsa_info(HSA_VERSION_MAJOR, &version) == 0) &&
           hip.peek_error() == 0;
}

static enum ork_device ask_hip(uintptr_t address)
{
    struct hip_attributes found = {.type = -1};

    if (!may_ask_hip())
        return ORK_DEVICE_NONE;
    if (hip.attributes(&found, (const void *)address) != 0) {
        hip.take_error();
        return ORK_DEVICE_NONE;
    }
    if (found.is_managed != 0)
        return ORK_DEVICE_HIP_MANAGED;
    return found.type == hip.device_type ? ORK_DEVICE_HIP : ORK_DEVICE_NONE;
}

enum ork_device ork_device_of(int64_t address)
{
    int saved = errno;

    ork_thread.in_library++; /* what it releases is its own */
    enum ork_device device = ask_cuda((uintptr_t)address);
    if (device == ORK_DEVICE_NONE)
        device = ask_hip((uintptr_t)address);
    ork_thread.in_library--;
    errno = saved;
    return device;
}
