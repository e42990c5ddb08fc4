/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/symbols.h"

#include "common/hash.h"
#include "common/hash_map.h"
#include "common/vec.h"
#include "overlay/stacktrace/stack_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was found. RATIONALE: to find the file of a path takes many system calls. */
struct found {
    char *path;
    uint64_t address;
    const struct ork_place *place; /* of `names` */
};

struct ork_symbols {
    struct ork_names *names;
    struct found *found;
    uint32_t count, room;
    struct ork_hash_map by_hash; /* of the path and address: its number, from 1 */
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
    for (uint32_t i = 0; i < symbols->count; i++)
        free(symbols->found[i].path);
    free(symbols->found);
    ork_hash_map_release(&symbols->by_hash);
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

static const struct ork_place *find_found(const struct ork_symbols *symbols, const char *path,
                                          uint64_t address)
{
    const uint64_t hash = ork_hash_text(address, path);

    for (uint32_t probe = 0, i; (i = ork_hash_map_next(&symbols->by_hash, hash, &probe)) != 0;) {
        const struct found *f = &symbols->found[i - 1];
        if (f->address == address && strcmp(f->path, path) == 0)
            return f->place;
    }
    return NULL;
}

static enum ork_status add_found(struct ork_symbols *symbols, const char *path, uint64_t address,
                                 const struct ork_place *place)
{
    const uint32_t number = symbols->count + 1;
    struct found f = {.path = strdup(path), .address = address, .place = place};

    if (f.path == NULL ||
        !ork_vec_reserve(&symbols->found, &symbols->room, number, sizeof(*symbols->found)) ||
        !ork_hash_map_add(&symbols->by_hash, ork_hash_text(address, path), number)) {
        free(f.path);
        return ORK_NOMEM;
    }
    symbols->found[symbols->count++] = f;
    return ORK_OK;
}

/* *place: NULL if there is none. */
static enum ork_status find(struct ork_symbols *symbols, const char *path, uint64_t address,
                            const struct ork_place **place)
{
    *place = find_found(symbols, path, address);
    if (*place != NULL)
        return ORK_OK;
    const struct ork_step step = {
        .address = address, .is_call = true, .path = realpath(path, NULL)};
    enum ork_status status = ork_stack_names_find(symbols->names, (uint32_t)getpid(), &step, place);
    free(step.path);
    if (status != ORK_OK || *place == NULL)
        return status;
    return add_found(symbols, path, address, *place);
}

enum ork_status ork_symbols_find_outer(struct ork_symbols *symbols, const char *path,
                                       uint64_t address, uint32_t depth, struct ork_where *where)
{
    const struct ork_place *place;
    enum ork_status status = find(symbols, path, address, &place);

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
