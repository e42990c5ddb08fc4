/* SPDX-License-Identifier: BSD-3-Clause */
#include "describe_stage.h"

#include "unit.h"

#include <string.h>

int describe_set_up(void **state)
{
    static struct state s;

    memset(&s, 0, sizeof(s));
    *state = &s;
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&s.script[r], r, RANKS);
    return ork_detector_create(RANKS, &s.d) != ORK_OK ||
           ork_call_sites_create(RANKS, &s.sites) != ORK_OK;
}

int describe_tear_down(void **state)
{
    struct state *s = *state;

    ork_finding_release(&s->finding);
    ork_call_sites_destroy(s->sites);
    ork_detector_destroy(s->d);
    return 0;
}

void place(struct script *s, uint32_t line)
{
    const uint32_t records = 2; /* the site itself, and its text in one more */
    const struct ork_record site = {.kind = ORK_KIND_SITE,
                                    .flags = ORK_F_SOURCE,
                                    .site = (uint32_t)s->n + records + 1,
                                    .arg2 = line};

    script_text(s, site, "src/ring.c\0step", 15);
}

void play(struct state *s)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        const struct script *script = &s->script[r];
        assert_int_equal(ork_detector_feed(s->d, r, script->record, script->n), ORK_OK);
        assert_int_equal(ork_call_sites_feed(s->sites, r, script->record, script->n), ORK_OK);
    }
}

const struct ork_finding *describe_as(struct state *s, enum ork_class class_)
{
    struct ork_search *search;
    bool root[RANKS] = {true, true, true, true};

    assert_int_equal(ork_detector_search(s->d, ORK_STRICT, &search), ORK_OK);
    assert_in_range(ork_wfg_num_bottom(search->wfg), 1, RANKS);
    struct ork_deadlock deadlock = {
        .search = search, .root = root, .class_ = class_, .nprocs = RANKS};
    assert_int_equal(ork_describe_deadlock(s->d, s->sites, &deadlock, &s->finding), ORK_OK);
    ork_search_destroy(search);
    return &s->finding;
}

const struct ork_finding *describe(struct state *s)
{
    play(s);
    return describe_as(s, ORK_MANIFEST);
}

bool has_remedy(const struct ork_finding *f, const char *message)
{
    bool has = false;

    for (uint32_t i = 0; i < f->num_remedies; i++)
        has |= strcmp(f->remedy[i].message, message) == 0;
    return has;
}
