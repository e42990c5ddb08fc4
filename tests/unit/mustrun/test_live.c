/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/live_address.h"
#include "mustrun/supervise/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

struct stage {
    struct ork_live *live;
    char session[40];
};

static int set_up(void **state)
{
    static struct stage stage;

    snprintf(stage.session, sizeof(stage.session), "test-%ld", (long)getpid());
    *state = &stage;
    return ork_live_create(stage.session, &stage.live) == ORK_OK ? 0 : 1;
}

static int tear_down(void **state)
{
    struct stage *stage = *state;

    ork_live_destroy(stage->live);
    return 0;
}

static int connect_to(const struct stage *stage)
{
    struct sockaddr_un address;
    socklen_t size;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

    assert_int_equal(ork_live_address(stage->session, &address, &size), ORK_OK);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, size), 0);
    return fd;
}

static int ask(struct stage *stage, const char *question)
{
    int fd = connect_to(stage);

    assert_int_equal(send(fd, question, strlen(question), 0), strlen(question));
    return fd;
}

static void assert_answer(int fd, const char *expected)
{
    char said[64] = "";
    ssize_t n = recv(fd, said, sizeof(said) - 1, 0);

    assert_int_equal(n, strlen(expected));
    assert_string_equal(said, expected);
    close(fd);
}

static void each_question_gets_its_answer(void **state)
{
    struct stage *stage = *state;
    int name = ask(stage, "name\n"), text = ask(stage, "text\n"), json = ask(stage, "json\n");
    struct ork_live_questions asked = ork_live_step(stage->live);

    assert_true(asked.name && asked.text && asked.json);
    ork_live_answer_text(stage->live, "two");
    ork_live_answer_name(stage->live, "one");
    ork_live_answer_json(stage->live, "three");
    assert_answer(name, "one");
    assert_answer(text, "two");
    assert_answer(json, "three");
    asked = ork_live_step(stage->live);
    assert_false(asked.name || asked.text || asked.json);
    assert_int_equal(ork_live_wait(stage->live), -1); /* all are gone */
}

static void a_question_may_come_in_pieces_and_nonsense_is_hung_up_on(void **state)
{
    struct stage *stage = *state;
    int slow = ask(stage, "te"), wrong = ask(stage, "texts\n"),
        long_ = ask(stage, "0123456789abcdefg");

    assert_false(ork_live_step(stage->live).text);
    assert_answer(wrong, "");
    close(long_);
    assert_int_equal(send(slow, "xt\n", 3, 0), 3);
    assert_true(ork_live_step(stage->live).text);
    ork_live_answer_text(stage->live, "x");
    assert_answer(slow, "x");
}

static void who_goes_away_is_forgotten(void **state)
{
    struct stage *stage = *state;
    int fd = ask(stage, "text\n");

    assert_true(ork_live_step(stage->live).text);
    assert_true(ork_live_wait(stage->live) > 0);
    close(fd);
    ork_live_step(stage->live);
    assert_false(ork_live_step(stage->live).text);
    assert_int_equal(ork_live_wait(stage->live), -1);
}

/* More than a socket holds: the rest goes when there is room, and nobody waits for it. */
static void a_reader_that_does_not_read_stops_nobody(void **state)
{
    enum { SIZE = 4 << 20 };
    struct stage *stage = *state;
    int slow = ask(stage, "json\n");
    char *answer = malloc(SIZE + 1);
    char piece[65536];
    size_t got = 0;

    assert_non_null(answer);
    memset(answer, 'x', SIZE);
    answer[SIZE] = '\0';
    assert_true(ork_live_step(stage->live).json);
    ork_live_answer_json(stage->live, answer);
    int quick = ask(stage, "text\n");
    assert_true(ork_live_step(stage->live).text);
    ork_live_answer_text(stage->live, "y");
    assert_answer(quick, "y");
    for (int i = 0; i < 100000 && got < SIZE; i++) {
        ssize_t n = recv(slow, piece, sizeof(piece), 0);
        got += n > 0 ? (size_t)n : 0;
        ork_live_step(stage->live);
    }
    assert_int_equal(got, SIZE);
    assert_int_equal(recv(slow, piece, sizeof(piece), 0), 0);
    close(slow);
    free(answer);
}

static void more_connections_than_there_is_room_for_wait(void **state)
{
    struct stage *stage = *state;
    int fd[ORK_LIVE_CONNECTIONS + 4];
    struct pollfd fds[ORK_LIVE_FDS];

    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS + 4; i++) {
        fd[i] = ask(stage, "text\n");
        ork_live_step(stage->live);
    }
    assert_int_equal(ork_live_fds(stage->live, fds), ORK_LIVE_CONNECTIONS); /* no further ones */
    ork_live_answer_text(stage->live, "a");
    assert_true(ork_live_step(stage->live).text);
    ork_live_answer_text(stage->live, "a");
    for (unsigned i = 0; i < ORK_LIVE_CONNECTIONS + 4; i++)
        assert_answer(fd[i], "a");
}

static void a_name_that_is_taken_or_too_long_is_refused(void **state)
{
    struct stage *stage = *state;
    struct ork_live *second = NULL;
    char name[200];

    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(ork_live_create(stage->session, &second), ORK_IO);
    assert_int_equal(ork_live_create(name, &second), ORK_INVALID);
    assert_null(second);
}

int test_live(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_question_gets_its_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_question_may_come_in_pieces_and_nonsense_is_hung_up_on,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_goes_away_is_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reader_that_does_not_read_stops_nobody, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(more_connections_than_there_is_room_for_wait, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_name_that_is_taken_or_too_long_is_refused, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
