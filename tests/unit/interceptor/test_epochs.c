/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/interceptor/epoch_words.h"

struct example {
    const char *events; /* all but the last one are right */
    enum ork_epoch_misuse last;
    uint32_t other; /* number of the other call, from 1 */
};

static const struct example right_ones[] = {
    {"F A1 A2 A0 F X", 0, 0},
    {"F X", 0, 0},         /* no access follows the fence: no epoch */
    {"F A1 Fs X", 0, 0},   /* ended */
    {"F L1 U1 F X", 0, 0}, /* no access between the fences */
    {"F l H1 u F X", 0, 0},
    {"Fs L1 A1 U1 F X", 0, 0}, /* the first fence starts no epoch, */
    {"F L1 A1 U1 Fp X", 0, 0}, /* the second one ends none */
    {"F L1 A1 U1 X", 0, 0},    /* and here there is none */
    {"F L1 A1 U1 Fp F X", 0, 0},
    {"L1 A1 U1 F A1 F X", 0, 0},
    {"F A1 F L1 A1 U1 X", 0, 0}, /* the second fence has ended the epoch */
    {"F A1 F S1 A1 C X", 0, 0},
    {"L1 U1 F A1 F X", 0, 0},
    {"l Fps u X", 0, 0}, /* neither ends nor starts anything */
    {"S12 A1 A2 C S3 A3 C X", 0, 0},
    {"S C X", 0, 0}, /* an empty group */
    {"P S1 A1 C W X", 0, 0},
    {"P L1 A1 U1 W X", 0, 0}, /* another target */
    {"P W P W X", 0, 0},
    {"L1 L2 A2 A1 H1 H2 h U1 A2 U2 X", 0, 0},
    {"L0 A0 Y U0 P W X", 0, 0},
    {"l A3 R1 H2 h Y u l u X", 0, 0},
    {"L1 R1 U1 X", 0, 0},
    {"F A1 F Fp A1 F X", 0, 0},
};

static const struct example wrong_ones[] = {
    {"A1", ORK_EPOCH_NONE, 0},
    {"Fs A1", ORK_EPOCH_NONE, 0},
    {"P A1", ORK_EPOCH_NONE, 0},
    {"L1 U1 A1", ORK_EPOCH_NONE, 0},
    {"S1 C A1", ORK_EPOCH_NONE, 0},
    {"L1 A2", ORK_EPOCH_NOT_ADMITTED, 1},
    {"S12 A3", ORK_EPOCH_NOT_ADMITTED, 1},
    {"L1 L2 A1 A2 U2 A1 A2", ORK_EPOCH_NOT_ADMITTED, 1},
    {"S1 R1", ORK_EPOCH_NOT_PASSIVE, 1},
    {"S1 A1 R1", ORK_EPOCH_NOT_PASSIVE, 1},
    {"F R1", ORK_EPOCH_NOT_PASSIVE, 1},
    {"F A1 R1", ORK_EPOCH_NOT_PASSIVE, 1},
    {"R1", ORK_EPOCH_NONE, 0},
    {"S1 S2", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"F A1 S1", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"F A1 L1", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"F A1 l", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"L1 S1", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"S1 L1", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"L1 l", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"l L1", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"l l", ORK_EPOCH_ACCESS_IS_OPEN, 1},
    {"L2 L1 L1", ORK_EPOCH_IS_LOCKED, 2},
    {"P P", ORK_EPOCH_EXPOSURE_IS_OPEN, 1},
    {"P L0", ORK_EPOCH_IS_EXPOSED, 1},
    {"P l", ORK_EPOCH_IS_EXPOSED, 1},
    {"L1 L0 P", ORK_EPOCH_EXPOSES_LOCKED, 2},
    {"l P", ORK_EPOCH_EXPOSES_LOCKED, 1},
    {"L1 F", ORK_EPOCH_FENCE_INSIDE, 1},
    {"S1 Fp", ORK_EPOCH_FENCE_INSIDE, 1},
    {"l Fs", ORK_EPOCH_FENCE_INSIDE, 1},
    {"F A1 A2 Fp", ORK_EPOCH_DOES_PRECEDE, 2},
    {"F L1 A1 U1 F", ORK_EPOCH_LOCK_INSIDE, 2},
    {"F l R2 u Fs", ORK_EPOCH_LOCK_INSIDE, 2},
    {"F L1 U1 L2 L3 A3 A2 U2 U3 A1 F", ORK_EPOCH_LOCK_INSIDE, 5},
    {"C", ORK_EPOCH_NOT_STARTED, 0},
    {"P C", ORK_EPOCH_NOT_STARTED, 0},
    {"W", ORK_EPOCH_NOT_POSTED, 0},
    {"U1", ORK_EPOCH_NOT_LOCKED, 0},
    {"L1 U2", ORK_EPOCH_NOT_LOCKED, 0},
    {"l U1", ORK_EPOCH_NOT_LOCKED, 0},
    {"L1 u", ORK_EPOCH_NOT_ALL_LOCKED, 0},
    {"H1", ORK_EPOCH_NO_FLUSH, 0},
    {"F A1 h", ORK_EPOCH_NO_FLUSH, 0},
    {"L1 H2", ORK_EPOCH_NO_TARGET_FLUSH, 1},
    {"Y", ORK_EPOCH_NO_SYNC, 0},
    {"F Y", ORK_EPOCH_NO_SYNC, 0},
    {"L3 X", ORK_EPOCH_NOT_ENDED, 1},
    {"l X", ORK_EPOCH_NOT_ENDED, 1},
    {"S1 X", ORK_EPOCH_NOT_ENDED, 1},
    {"P X", ORK_EPOCH_NOT_ENDED, 1},
    {"F A1 X", ORK_EPOCH_NOT_ENDED, 1},
};

/* Wrong, and then right although it would be wrong alone: one mistake is one finding. */
static const char *const followers[] = {
    "S1 S2!C C X", "L1 L1!U1 U1 X", "L1 F!A1 U1 F X", "L1 F!A1 F X",
    "P P!W W X",   "S1 L2!C X",     "l l!u u X",
};

static void check_example(const struct example *example)
{
    struct ork_epochs e = {.rank = OWN};
    struct ork_epoch_place other = {0};
    uint32_t number = 0;

    for (const char *word = example->events; *word != '\0';) {
        size_t length = strcspn(word, " ");
        bool is_last = word[length] == '\0';
        struct parsed parsed;
        parse(word, length, ++number, &parsed);
        enum ork_epoch_misuse found = feed(&e, &parsed.event, &other);
        if (found != (is_last ? example->last : ORK_EPOCH_RIGHT) ||
            (is_last && other.site != example->other))
            fail_msg("%s: %d at event %u, other call %u", example->events, (int)found, number,
                     other.site);
        if (is_last && example->other != 0)
            assert_int_equal(other.call, example->other + 1);
        word += length + !is_last;
    }
    ork_epochs_release(&e);
}

static void what_the_standard_allows_is_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(right_ones) / sizeof(right_ones[0]); i++)
        check_example(&right_ones[i]);
}

static void what_it_forbids_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong_ones) / sizeof(wrong_ones[0]); i++)
        check_example(&wrong_ones[i]);
}

static void a_mistake_is_reported_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(followers) / sizeof(followers[0]); i++) {
        struct ork_epochs e = {.rank = OWN};
        struct ork_epoch_place other;
        unsigned wrong = 0;
        for (const char *word = followers[i]; *word != '\0';) {
            size_t length = strcspn(word, " !");
            struct parsed parsed;
            parse(word, length, 1, &parsed);
            bool is_wrong = feed(&e, &parsed.event, &other) != ORK_EPOCH_RIGHT;
            if (is_wrong != (word[length] == '!'))
                fail_msg("%s: at %s", followers[i], word);
            wrong += is_wrong;
            word += length + (word[length] != '\0');
        }
        assert_int_equal(wrong, 1);
        ork_epochs_release(&e);
    }
}

static void many_targets_can_be_locked(void **state)
{
    enum { TARGETS = 3000 };
    struct ork_epochs e = {.rank = OWN};
    struct ork_epoch_place other;
    struct ork_epoch_event event = {.kind = ORK_EPOCH_DO_LOCK};

    (void)state;
    for (event.target = 0; event.target < TARGETS; event.target++)
        assert_int_equal(feed(&e, &event, &other), ORK_EPOCH_RIGHT);
    event.kind = ORK_EPOCH_DO_ACCESS;
    for (event.target = 0; event.target < TARGETS; event.target++)
        assert_int_equal(feed(&e, &event, &other), ORK_EPOCH_RIGHT);
    assert_int_equal(feed(&e, &event, &other), ORK_EPOCH_NOT_ADMITTED);
    event.kind = ORK_EPOCH_DO_UNLOCK;
    for (event.target = TARGETS - 1; event.target >= 0; event.target--)
        assert_int_equal(feed(&e, &event, &other), ORK_EPOCH_RIGHT);
    assert_int_equal(e.open, 0);
    ork_epochs_release(&e);
}

int test_epochs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_standard_allows_is_right),
        cmocka_unit_test(what_it_forbids_is_wrong),
        cmocka_unit_test(a_mistake_is_reported_once),
        cmocka_unit_test(many_targets_can_be_locked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
