/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/symbols.h"

#include "overlay/stacktrace/stack_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ork_symbols {
    struct ork_names *names;
};

enum ork_status ork_symbols_create(struct ork_symbols **out)
{
    struct ork_symbols *symbols = calloc(1, sizeof(*symbols));
    enum ork_status status = symbols == NULL ? ORK_NOMEM : ork_stack_names_create(&symbols->names);

    if (status == ORK_OK)
        *out = symbols;
    else
        free(symbols);
    return status;
}

void ork_symbols_destroy(struct ork_symbols *symbols)
{
    if (symbols == NULL)
        return;
    ork_stack_names_destroy(symbols->names);
    free(symbols);
}

static enum ork_status set(char **to, const char *text)
{
    if (text == NULL)
        return ORK_OK;
    char *copy = strdup(text);
    if (copy == NULL)
        return ORK_NOMEM;
    free(*to);
    *to = copy;
    return ORK_OK;
}

enum ork_status ork_symbols_find_outer(struct ork_symbols *symbols, const char *path,
                                       uint64_t address, uint32_t depth, struct ork_where *where)
{
    const struct ork_step step = {
        .address = address, .is_call = true, .path = realpath(path, NULL)};
    const struct ork_place *place;
    enum ork_status status =
        ork_stack_names_find(symbols->names, (uint32_t)getpid(), &step, &place);

    free(step.path);
    if (status != ORK_OK || place == NULL || depth >= place->num_frames)
        return status == ORK_OK ? ORK_NOTFOUND : status;
    const struct ork_frame *frame = &place->frame[depth];
    status = set(&where->function, frame->function);
    if (status == ORK_OK)
        status = set(&where->file, frame->file);
    if (frame->line > 0)
        where->line = frame->line;
    return status;
}

enum ork_status ork_symbols_find(struct ork_symbols *symbols, const char *path, uint64_t address,
                                 struct ork_where *where)
{
    return ork_symbols_find_outer(symbols, path, address, 0, where);
}
