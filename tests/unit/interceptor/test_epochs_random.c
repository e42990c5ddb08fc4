/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sequences of events against a second implementation. */
#include "tests/unit/interceptor/epoch_words.h"

enum { SEQUENCES = 20000, LENGTH = 40 };

/* The rules of the standard as they are written: a list of epochs with their targets. Of an access
 * epoch that a fence may have started, `is_used` says whether it exists. */
struct epoch {
    char opened; /* letter of the call: F, S, P, L or l */
    bool target[RANKS];
    bool is_used;
    bool has_locked_access; /* of a fence: one was made under a lock */
};

struct model {
    struct epoch epoch[2 * RANKS + 4];
    int count;
};

static bool is_access_epoch(const struct epoch *e)
{
    return e->opened != 'P' && (e->opened != 'F' || e->is_used);
}

static const struct epoch *find(const struct model *m, char opened, int target)
{
    for (int i = 0; i < m->count; i++) {
        if (m->epoch[i].opened == opened && (target < 0 || m->epoch[i].target[target]))
            return &m->epoch[i];
    }
    return NULL;
}

static bool has_access_epoch(const struct model *m, const char *but)
{
    for (int i = 0; i < m->count; i++) {
        if (is_access_epoch(&m->epoch[i]) && strchr(but, m->epoch[i].opened) == NULL)
            return true;
    }
    return false;
}

static bool is_passive(const struct model *m, int target)
{
    return find(m, 'L', target) != NULL || find(m, 'l', -1) != NULL;
}

static bool model_admits(const struct model *m, int target, bool has_request)
{
    if (is_passive(m, target))
        return true;
    return !has_request && find(m, 'L', -1) == NULL &&
           (find(m, 'S', -1) != NULL ? find(m, 'S', target) : find(m, 'F', -1)) != NULL;
}

static bool model_is_right(const struct model *m, char letter, const struct ork_epoch_event *event)
{
    switch (letter) {
    case 'F':
        if (find(m, 'S', -1) != NULL || is_passive(m, -1))
            return event->no_precede && event->no_succeed;
        if (find(m, 'F', -1) == NULL)
            return true;
        return event->no_precede ? !find(m, 'F', -1)->is_used
                                 : !find(m, 'F', -1)->has_locked_access;
    case 'S':
        return !has_access_epoch(m, "");
    case 'P':
        return find(m, 'P', -1) == NULL && !is_passive(m, OWN);
    case 'L':
        return !has_access_epoch(m, "L") && find(m, 'L', event->target) == NULL &&
               (event->target != OWN || find(m, 'P', -1) == NULL);
    case 'l':
        return !has_access_epoch(m, "") && find(m, 'P', -1) == NULL;
    case 'C':
        return find(m, 'S', -1) != NULL;
    case 'W':
        return find(m, 'P', -1) != NULL;
    case 'U':
        return find(m, 'L', event->target) != NULL;
    case 'u':
        return find(m, 'l', -1) != NULL;
    case 'A':
    case 'R':
        return model_admits(m, event->target, letter == 'R');
    case 'H':
        return is_passive(m, event->target);
    case 'h':
    case 'Y':
        return is_passive(m, -1);
    default: /* X */
        return !has_access_epoch(m, "") && find(m, 'P', -1) == NULL;
    }
}

static void model_end(struct model *m, char opened, int target)
{
    int kept = 0;

    for (int i = 0; i < m->count; i++) {
        const struct epoch *e = &m->epoch[i];
        if (e->opened != opened || (target >= 0 && !e->target[target]))
            m->epoch[kept++] = *e;
    }
    m->count = kept;
}

static void model_use_fence(struct model *m, bool is_locked)
{
    for (int i = 0; i < m->count; i++) {
        bool is_fence = m->epoch[i].opened == 'F';
        m->epoch[i].is_used |= is_fence && !is_locked;
        m->epoch[i].has_locked_access |= is_fence && is_locked;
    }
}

static void model_apply(struct model *m, char letter, const struct ork_epoch_event *event)
{
    struct epoch *e;

    if (letter == 'F')
        model_end(m, 'F', -1);
    e = &m->epoch[m->count];
    *e = (struct epoch){.opened = letter};
    if (letter == 'L')
        e->target[event->target] = true;
    for (uint32_t i = 0; i < event->num_members; i++)
        e->target[event->member[i]] = true;
    if (strchr("SPLl", letter) != NULL || (letter == 'F' && !event->no_succeed))
        m->count++;
    else if (letter == 'C')
        model_end(m, 'S', -1);
    else if (letter == 'W')
        model_end(m, 'P', -1);
    else if (letter == 'U')
        model_end(m, 'L', event->target);
    else if (letter == 'u')
        model_end(m, 'l', -1);
    else if ((letter == 'A' || letter == 'R') && is_passive(m, event->target))
        model_use_fence(m, true);
    else if (letter == 'A' && find(m, 'S', -1) == NULL)
        model_use_fence(m, false);
}

static unsigned draw(unsigned *random, unsigned below)
{
    *random = *random * 1103515245u + 12345u;
    return *random / 65536u % below;
}

static void random_event(unsigned *random, struct parsed *out)
{
    char word[RANKS + 1];
    size_t length = 1;

    word[0] = letters[draw(random, sizeof(letters) - 1)];
    if (word[0] == 'F' && draw(random, 3) == 0)
        word[length++] = 'p';
    if (word[0] == 'F' && draw(random, 3) == 0)
        word[length++] = 's';
    if (strchr("LUARH", word[0]) != NULL)
        word[length++] = (char)('0' + draw(random, RANKS));
    for (char c = '0'; word[0] == 'S' && c < '0' + RANKS; c++) {
        if (draw(random, 2) == 0)
            word[length++] = c;
    }
    parse(word, length, 1, out);
}

/* The events of each sequence are right, except that wrong ones are only asked about: so the two
 * implementations keep the same state. */
static void random_sequences_agree_with_the_model(void **state)
{
    unsigned random = 1, rights = 0, wrongs = 0;

    (void)state;
    for (int sequence = 0; sequence < SEQUENCES; sequence++) {
        struct ork_epochs e = {.rank = OWN};
        struct model model = {.count = 0};
        for (int i = 0; i < LENGTH; i++) {
            struct ork_epoch_place other;
            struct parsed parsed;
            random_event(&random, &parsed);
            char letter = letters[parsed.event.kind];
            bool is_right = model_is_right(&model, letter, &parsed.event);
            bool says_right = ork_epochs_check(&e, &parsed.event, &other) == ORK_EPOCH_RIGHT;
            if (says_right != is_right)
                fail_msg("sequence %d, event %d, %c%d", sequence, i, letter, parsed.event.target);
            *(is_right ? &rights : &wrongs) += 1;
            if (!is_right)
                continue;
            feed(&e, &parsed.event, &other);
            model_apply(&model, letter, &parsed.event);
        }
        ork_epochs_release(&e);
    }
    assert_true(rights > SEQUENCES && wrongs > SEQUENCES);
}

int test_epochs_random(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences_agree_with_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
