/* SPDX-License-Identifier: BSD-3-Clause */
/* The executable of a module's unit tests: runs the tests of one file, which its argument names.
 * The build lists the files in unit_files.def. */
#include <stdio.h>
#include <string.h>

#define UNIT_FILE(name) int test_##name(void);
#include "unit_files.def"
#undef UNIT_FILE

static const struct {
    const char *name;
    int (*run)(void); /* gives the number of tests that failed */
} files[] = {
#define UNIT_FILE(name) {#name, test_##name},
#include "unit_files.def"
#undef UNIT_FILE
};

static const size_t num_files = sizeof(files) / sizeof(files[0]);

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < num_files; i++)
        if (strcmp(files[i].name, argv[1]) == 0)
            return files[i].run();
    fprintf(stderr, "Usage: %s FILE, which is one of:\n", argv[0]);
    for (size_t i = 0; i < num_files; i++)
        fprintf(stderr, "    %s\n", files[i].name);
    return 64;
}
