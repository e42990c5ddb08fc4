/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/load_use.h"

#include "common/vec.h"
#include "overlay/stacktrace/load_flow.h"
#include "overlay/stacktrace/object_code.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE of ORK_LOAD_DECIDES: a branch after one look may be the end of a wait that other runs
 * repeat, and a compiler makes such a look of the first one of a loop. Only in a loop that looks at
 * several elements, and goes on whatever it sees, that is not so. */
enum { CALLERS_DEPTH = 16, CALLS_MAX = 64 };

struct answer {
    uint64_t address;
    enum ork_load_use use;
};

struct file {
    char *path;
    struct ork_object *object; /* NULL: it cannot be read */
    struct answer *answer;
    uint32_t answers, room;
};

struct ork_load_uses {
    struct file *file;
    uint32_t files, room;
};

enum ork_status ork_load_uses_create(struct ork_load_uses **out)
{
    struct ork_load_uses *uses = calloc(1, sizeof(*uses));

    if (uses == NULL)
        return ORK_NOMEM;
    *out = uses;
    return ORK_OK;
}

void ork_load_uses_destroy(struct ork_load_uses *uses)
{
    if (uses == NULL)
        return;
    for (uint32_t i = 0; i < uses->files; i++) {
        ork_object_close(uses->file[i].object);
        free(uses->file[i].path);
        free(uses->file[i].answer);
    }
    free(uses->file);
    free(uses);
}

static struct file *file_of(struct ork_load_uses *uses, const char *path)
{
    for (uint32_t i = 0; i < uses->files; i++) {
        if (strcmp(uses->file[i].path, path) == 0)
            return &uses->file[i];
    }
    char *copy = strdup(path);
    if (copy == NULL ||
        !ork_vec_reserve(&uses->file, &uses->room, uses->files + 1, sizeof(*uses->file))) {
        free(copy);
        return NULL;
    }
    struct file *f = &uses->file[uses->files++];
    *f = (struct file){.path = copy, .object = ork_object_open(path)};
    return f;
}

static enum ork_callee callee_of(void *context, uint64_t target)
{
    struct ork_object *object = context;
    struct ork_function function;
    static const char *const load[] = {"__tsan_read", "__tsan_unaligned_read",
                                       "__tsan_volatile_read", "__tsan_unaligned_volatile_read"};
    static const char *const other[] = {"__tsan_func_", "__tsan_write", "__tsan_unaligned_write",
                                        "__tsan_volatile_write", "__tsan_unaligned_volatile_write"};

    if (!ork_object_function(object, target, &function) || function.name == NULL ||
        function.code.address != target)
        return ORK_CALLEE_IS_OTHER;
    for (unsigned i = 0; i < sizeof(load) / sizeof(load[0]); i++) {
        size_t length = strlen(load[i]);
        if (strncmp(function.name, load[i], length) == 0 && function.name[length] != '_')
            return ORK_CALLEE_LOADS;
    }
    for (unsigned i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        if (strncmp(function.name, other[i], strlen(other[i])) == 0)
            return ORK_CALLEE_INSTRUMENTS;
    }
    return ORK_CALLEE_IS_OTHER;
}

/* Functions whose callers are looked at: if one calls itself, it is repeated. */
struct chain {
    struct ork_object *object;
    uint64_t function[CALLERS_DEPTH];
    unsigned depth;
};

/* Can the function be called again, before its caller has gone on? RATIONALE: the depth of the
 * recursion is limited by CALLERS_DEPTH. */
static bool may_be_repeated(struct chain *chain, const struct ork_function *function)
{
    uint64_t call[CALLS_MAX];
    uint32_t calls = 0;
    bool is_repeated = false;

    if (function->name != NULL &&
        (strcmp(function->name, "main") == 0 || strcmp(function->name, "MAIN__") == 0))
        return false;
    for (unsigned i = 0; i < chain->depth; i++) {
        if (chain->function[i] == function->code.address)
            return true;
    }
    if (chain->depth == CALLERS_DEPTH ||
        !ork_object_calls(chain->object, function, call, CALLS_MAX, &calls))
        return true;
    chain->function[chain->depth++] = function->code.address;
    uint32_t found = 0;
    for (uint32_t i = 0; i < calls && !is_repeated; i++) {
        struct ork_function caller;
        if (!ork_object_function(chain->object, call[i], &caller)) {
            is_repeated = true;
            break;
        }
        struct ork_at at = ork_flow_at(&caller.code, call[i]);
        found += at.is_instruction;
        is_repeated = at.is_instruction && (at.is_in_loop || may_be_repeated(chain, &caller));
    }
    chain->depth--;
    return is_repeated || found == 0;
}

static enum ork_load_use judge(struct ork_object *object, uint64_t address)
{
    struct ork_function function;
    struct chain chain = {.object = object};

    if (object == NULL || !ork_object_function(object, address - 1, &function))
        return ORK_LOAD_REPEATS;
    struct ork_flow flow = ork_flow_of_load(&function.code, address, callee_of, object);
    if (!flow.is_known || flow.is_repeated || (flow.decides && !flow.is_in_loop) ||
        ((flow.leaves || flow.decides) && may_be_repeated(&chain, &function)))
        return ORK_LOAD_REPEATS;
    return flow.decides ? ORK_LOAD_DECIDES : ORK_LOAD_IS_TAKEN;
}

enum ork_load_use ork_load_uses_find(struct ork_load_uses *uses, const char *path, uint64_t address)
{
    struct file *f = file_of(uses, path);

    if (f == NULL || address == 0)
        return ORK_LOAD_REPEATS;
    for (uint32_t i = 0; i < f->answers; i++) {
        if (f->answer[i].address == address)
            return f->answer[i].use;
    }
    enum ork_load_use use = judge(f->object, address);
    if (ork_vec_reserve(&f->answer, &f->room, f->answers + 1, sizeof(*f->answer)))
        f->answer[f->answers++] = (struct answer){.address = address, .use = use};
    return use;
}
