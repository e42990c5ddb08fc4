/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/onesided/damage.h"

#include "windows/stamps/stamps.h"
#include "tests/fuzz/onesided/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 17, TRIES = 12, QUESTIONS = 50 };

struct bytes {
    char byte[ROOM];
    size_t size;
};

static void load(const char *path, struct bytes *b)
{
    FILE *file = fopen(path, "re");

    if (file == NULL)
        abort();
    b->size = fread(b->byte, 1, ROOM, file);
    fclose(file);
}

static void save(const char *path, const struct bytes *b)
{
    FILE *file = fopen(path, "we");

    if (file == NULL || fwrite(b->byte, 1, b->size, file) != b->size || fclose(file) != 0)
        abort();
}

static size_t below(uint64_t *random, size_t limit)
{
    return program_random(random, (uint32_t)limit);
}

/* Returns true if the end is missing. */
static bool damage(struct bytes *b, uint64_t *random)
{
    static const char useful[] = "0123456789= \n";
    size_t at = below(random, b->size);

    switch (below(random, 4)) {
    case 0:
        b->size = at;
        return true;
    case 1:
        memmove(b->byte + at, b->byte + at + 1, b->size - at - 1);
        b->size--;
        return false;
    case 2:
        b->byte[at] = (char)program_random(random, 256);
        return false;
    default:
        b->byte[at] = useful[below(random, sizeof(useful) - 1)];
        return false;
    }
}

static struct ork_stamps_event any_event(const struct ork_stamps *s, uint64_t *random)
{
    uint32_t rank = (uint32_t)below(random, ork_stamps_ranks(s));
    uint64_t count = ork_stamps_count(s, rank);

    return count == 0 ? (struct ork_stamps_event){0}
                      : ork_stamps_get(s, rank, 1 + below(random, count));
}

static void ask(const struct ork_stamps *s, uint64_t *random)
{
    for (int i = 0; i < QUESTIONS; i++) {
        struct ork_stamps_event a = any_event(s, random), b = any_event(s, random);
        struct ork_stamps_step *step;
        uint32_t count;
        bool at_origin = below(random, 2) == 1;
        if (a.number == 0 || b.number == 0 || !ork_stamps_is_before(s, &a, &b, at_origin))
            continue;
        if (ork_stamps_path(s, &a, &b, at_origin, &step, &count))
            free(step);
    }
}

static bool is_handled(const char *path, bool is_cut, uint64_t *random)
{
    char error[ORK_STAMPS_ERROR] = "";
    struct ork_stamps *s;
    enum ork_status status = ork_stamps_read(path, &s, error);

    if (status == ORK_OK) {
        if (ork_stamps_ranks(s) > 0)
            ask(s, random);
        ork_stamps_destroy(s);
        return !is_cut;
    }
    return status == ORK_INVALID && error[0] != '\0' && strchr(error, '\n') == NULL;
}

bool stamps_survive_damage(const char *path, uint64_t *random)
{
    static struct bytes whole, some;
    bool is_good = true;

    load(path, &whole);
    for (int i = 0; i < TRIES && is_good; i++) {
        memcpy(&some, &whole, sizeof(some));
        bool is_cut = false;
        for (size_t n = 1 + below(random, 3); n > 0 && some.size > 0; n--)
            is_cut |= damage(&some, random);
        save(path, &some);
        is_good = is_handled(path, is_cut, random);
    }
    return is_good;
}
