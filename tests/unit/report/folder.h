/* SPDX-License-Identifier: BSD-3-Clause */
/* A temporary folder for one test: a cmocka fixture, *state is a struct folder. Names are relative
 * to it. */
#ifndef ORK_FOLDER_H
#define ORK_FOLDER_H

#include <stdbool.h>

struct folder {
    char path[64];
    int fd;
};

int folder_make(void **state);
int folder_remove(void **state);

void folder_put(const struct folder *folder, const char *name, const char *text);
/* NULL if there is no such file; free it. */
char *folder_get(const struct folder *folder, const char *name);
bool folder_has(const struct folder *folder, const char *name);
void folder_expect(const struct folder *folder, const char *name, const char *text);
/* Number of entries, of `name` or "." itself. */
unsigned folder_entries(const struct folder *folder, const char *name);

#endif
