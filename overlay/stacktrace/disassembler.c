/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/disassembler.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#define TEXT_OF(number) #number
#define LIBRARY(major)  "libcapstone.so." TEXT_OF(major)

static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

const struct ork_disassembler *ork_disassembler(void)
{
    static struct ork_disassembler d;
    static bool is_opened, is_complete;

    if (is_opened)
        return is_complete ? &d : NULL;
    is_opened = true;
    void *library = dlopen(LIBRARY(CS_API_MAJOR), RTLD_LAZY | RTLD_LOCAL);
    is_complete = library != NULL && find(library, "cs_open", &d.open) &&
                  find(library, "cs_close", &d.close) && find(library, "cs_option", &d.option) &&
                  find(library, "cs_disasm", &d.disasm) && find(library, "cs_free", &d.free) &&
                  find(library, "cs_reg_name", &d.reg_name) &&
                  find(library, "cs_regs_access", &d.regs_access);
    if (library != NULL && !is_complete)
        dlclose(library);
    return is_complete ? &d : NULL;
}
