/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/symbols.h"

#include "common/hash.h"
#include "overlay/stacktrace/stack_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS_MIN = 64 };

/* What was found. RATIONALE: to find the file of a path takes many system calls. */
struct found {
    char *path;
    uint64_t address;
    const struct ork_place *place; /* of `names`; NULL: the slot is free */
};

struct ork_symbols {
    struct ork_names *names;
    struct found *found; /* slots by hash, of which at most half are taken */
    uint32_t count, slots;
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
    for (uint32_t i = 0; i < symbols->slots; i++)
        free(symbols->found[i].path);
    free(symbols->found);
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

/* The slot of this address, or a free one. There is at least one slot. */
static struct found *slot_of(const struct ork_symbols *symbols, const char *path, uint64_t address)
{
    uint32_t at = (uint32_t)ork_hash_text(address, path) & (symbols->slots - 1);
    struct found *f = &symbols->found[at];

    while (f->place != NULL && (f->address != address || strcmp(f->path, path) != 0)) {
        at = (at + 1) & (symbols->slots - 1);
        f = &symbols->found[at];
    }
    return f;
}

static enum ork_status reserve(struct ork_symbols *symbols)
{
    struct ork_symbols old = *symbols;

    if (2 * (uint64_t)(old.count + 1) <= old.slots)
        return ORK_OK;
    symbols->slots = old.slots == 0 ? SLOTS_MIN : 2 * old.slots;
    symbols->found = calloc(symbols->slots, sizeof(*symbols->found));
    if (symbols->found == NULL) {
        *symbols = old;
        return ORK_NOMEM;
    }
    for (uint32_t i = 0; i < old.slots; i++)
        if (old.found[i].place != NULL)
            *slot_of(symbols, old.found[i].path, old.found[i].address) = old.found[i];
    free(old.found);
    return ORK_OK;
}

/* *place: NULL if there is none. */
static enum ork_status find(struct ork_symbols *symbols, const char *path, uint64_t address,
                            const struct ork_place **place)
{
    enum ork_status status = reserve(symbols);

    if (status != ORK_OK)
        return status;
    struct found *f = slot_of(symbols, path, address);
    *place = f->place;
    if (*place != NULL)
        return ORK_OK;
    const struct ork_step step = {
        .address = address, .is_call = true, .path = realpath(path, NULL)};
    status = ork_stack_names_find(symbols->names, (uint32_t)getpid(), &step, place);
    free(step.path);
    if (status != ORK_OK || *place == NULL)
        return status;
    *f = (struct found){.path = strdup(path), .address = address, .place = *place};
    if (f->path == NULL) {
        f->place = NULL;
        return ORK_NOMEM;
    }
    symbols->count++;
    return ORK_OK;
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
