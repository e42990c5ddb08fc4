/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the plugin that its argument names, as Python opens an extension, and calls go_round(). */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = plugin != NULL ? dlsym(plugin, "go_round") : NULL;
    int (*go_round)(int, char **);

    if (symbol == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    memcpy(&go_round, &symbol, sizeof(go_round));
    return go_round(argc - 1, argv + 1);
}
