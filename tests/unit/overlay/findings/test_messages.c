/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of messages: each row can be filled, and is written as the head of messages.def
 * says. */
#include "overlay/findings/messages.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_slot(char letter)
{
    assert_true(letter != '\0');
    assert_non_null(strchr(ork_message_slots(), letter));
}

/* "{r:is|are}", "{x?to}": returns where it ends. */
static const char *assert_choice(const char *at)
{
    const char *end = strchr(at, '}');

    assert_slot(at[1]);
    assert_true(at[2] == ':' || at[2] == '?');
    assert_non_null(end);
    size_t length = (size_t)(end - at);
    const char *bar = memchr(at, '|', length);
    assert_null(memchr(at + 1, '{', length - 1));
    assert_true(bar != NULL || at[2] == '?');
    assert_true(bar == NULL || memchr(bar + 1, '|', (size_t)(end - bar - 1)) == NULL);
    return end;
}

static void every_slot_is_known_and_every_choice_complete(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SAYS_MAX; i++) {
        const char *at = ork_message_row(i)->template;
        const char *end = at; /* of the latest choice */
        for (; *at != '\0'; at++) {
            if (*at == '$')
                assert_slot(at[1]);
            if (*at == '{')
                end = assert_choice(at);
            if (*at == '}' || *at == '|')
                assert_true(at <= end);
        }
    }
}

/* What begins a sentence gets its capital letter when it is added; the names of MPI keep theirs. */
static bool begins_in_lower_case(const char *text)
{
    return !isupper((unsigned char)text[0]) || strncmp(text, "MPI_", 4) == 0 ||
           strncmp(text, "MPI ", 4) == 0;
}

static void texts_begin_in_lower_case_and_have_single_blanks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SAYS_MAX; i++) {
        const struct ork_message_row *row = ork_message_row(i);
        size_t length = strlen(row->template);
        assert_true(length > 0);
        assert_true(begins_in_lower_case(row->template));
        assert_null(strstr(row->template, "  "));
        assert_true(row->template[length - 1] != ' ');
        assert_true(row->form == ORK_PART || row->template[0] != ' ');
    }
}

static void details_are_sentences_and_the_others_are_not(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SAYS_MAX; i++) {
        const struct ork_message_row *row = ork_message_row(i);
        size_t length = strlen(row->template);
        bool ends_a_sentence = row->template[length - 1] == '.' ||
                               row->template[length - 1] == '?' ||
                               (length > 1 && strcmp(row->template + length - 2, ".}") == 0);
        assert_int_equal(ends_a_sentence, row->form == ORK_DETAIL);
    }
}

static void names_and_slots_are_used_once(void **state)
{
    const char *slots = ork_message_slots();

    (void)state;
    for (size_t i = 0; slots[i] != '\0'; i++)
        assert_ptr_equal(strchr(slots, slots[i]), slots + i);
    for (unsigned i = 0; i < SAYS_MAX; i++) {
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(ork_message_row(i)->template, ork_message_row(k)->template);
    }
}

int test_messages(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_slot_is_known_and_every_choice_complete),
        cmocka_unit_test(texts_begin_in_lower_case_and_have_single_blanks),
        cmocka_unit_test(details_are_sentences_and_the_others_are_not),
        cmocka_unit_test(names_and_slots_are_used_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
