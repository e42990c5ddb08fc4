/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/real_dlsym.h"

#include "common/log.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

_Atomic(ork_lookup *) ork_real_dlsym;

/* RATIONALE: only dlvsym() does not find this file's own. In the order in which libraries of C had
 * a new version of the function, the newest first. */
ork_lookup *ork_find_dlsym(void)
{
    static const char *const version[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    ork_lookup *real = atomic_load(&ork_real_dlsym);

    for (size_t i = 0; real == NULL && i < sizeof(version) / sizeof(version[0]); i++) {
        void *found = dlvsym(RTLD_NEXT, "dlsym", version[i]);
        memcpy(&real, &found, sizeof(real)); /* as POSIX has it for functions */
    }
    if (real == NULL) {
        ork_error("the C library of this process has no dlsym that the tool knows");
        _exit(127);
    }
    atomic_store(&ork_real_dlsym, real);
    return real;
}

void *ork_dlsym(void *handle, const char *symbol)
{
    void *found = ork_find_dlsym()(handle, symbol);

    /* RATIONALE: it tells its caller by the return address, so the compiler must not jump to it. */
    __asm__ volatile("" : "+r"(found));
    return found;
}
