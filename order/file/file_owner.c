/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/file_format.h"

#include <stdio.h>
#include <string.h>

bool ork_order_file_is_order(const char *path)
{
    char start[ORK_ORDER_MAGIC_SIZE];
    FILE *file = fopen(path, "re");
    bool same = file != NULL && fread(start, sizeof(start), 1, file) == 1 &&
                memcmp(start, ORK_ORDER_MAGIC, sizeof(start)) == 0;

    if (file != NULL)
        fclose(file);
    return same;
}
