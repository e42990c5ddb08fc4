/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/live_text.h"
#include "mustrun/supervise/locale.h"
#include "mustrun/supervise/status_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* Parse what the tool would say, and show it. The caller's. */
static char *show(const char *line)
{
    struct ork_message message;

    assert_int_equal(ork_message_parse(line, strlen(line), &message), ORK_OK);
    assert_int_equal(message.type, ORK_MESSAGE_STATE);
    char *text = ork_live_text(&message, 12.34, false, false);
    assert_non_null(text);
    ork_message_release(&message);
    return text;
}

static unsigned count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static void who_waits_longest_comes_first(void **state)
{
    char *text = show(
        "{\"type\":\"state\",\"finding\":{\"id\":\"status\",\"severity\":\"note\",\"message\":\"2 "
        "ranks\",\"details\":[\"rank 1 sleeps\"],\"waits\":["
        "{\"rank\":0,\"call\":\"MPI_Recv\",\"peer\":1,\"tag\":3,\"comm\":\"W\",\"for\":[1],"
        "\"state\":\"blocked\",\"where\":{\"file\":\"/a/x.c\",\"line\":7,\"function\":\"f\"}},"
        "{\"rank\":1,\"call\":\"\",\"state\":\"running\",\"detail\":\"outside MPI\",\"stack\":["
        "{\"function\":\"nap\",\"file\":\"/a/x.c\",\"line\":3},{\"function\":\"main\","
        "\"module\":\"/b/prog\"}]}]},\"progress\":["
        "{\"rank\":0,\"seconds\":4.0,\"calls\":10,\"more\":4,\"polls\":0,\"processors\":1.0},"
        "{\"rank\":1,\"seconds\":5.0,\"calls\":1,\"more\":0,\"polls\":1234,\"processors\":0}]}");

    (void)state;
    assert_string_equal(
        text, "orknot: status: 2 ranks (12.3 s after the start)\n"
              "    rank 1 sleeps\n"
              "    rank 1: outside MPI, for 5.0 s; 1 call (+0), 1,234 unsuccessful polls\n"
              "        in nap (x.c:3) < main (prog)\n"
              "    rank 0: MPI_Recv(peer 1, tag 3, W) at /a/x.c:7 in f, waits for "
              "1, for 4.0 s; 10 calls (+4)\n");
    free(text);
}

/* A ring of ranks that wait for their neighbours, but for one. */
static char *ring(uint32_t ranks)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);

    assert_non_null(out);
    fputs("{\"type\":\"state\",\"finding\":{\"id\":\"status\",\"severity\":\"note\",\"message\":"
          "\"m\",\"waits\":[",
          out);
    for (uint32_t r = 0; r < ranks; r++)
        fprintf(out,
                "%s{\"rank\":%u,\"call\":\"%s\",\"peer\":%u,\"tag\":1,\"for\":[%u],\"state\":"
                "\"blocked\",\"where\":{\"file\":\"r.c\",\"line\":2}}",
                r > 0 ? "," : "", r, r == 500 ? "MPI_Ssend" : "MPI_Recv", (r + 1) % ranks,
                (r + 1) % ranks);
    fputs("]},\"progress\":[", out);
    for (uint32_t r = 0; r < ranks; r++)
        fprintf(out, "%s{\"rank\":%u,\"seconds\":%u.5,\"calls\":%u,\"more\":%u}", r > 0 ? "," : "",
                r, r, r + 1, r % 3);
    fputs("]}", out);
    assert_int_equal(fclose(out), 0);
    return line;
}

static void a_thousand_ranks_are_a_few_lines(void **state)
{
    char *line = ring(1000);
    char *text = show(line);

    (void)state;
    assert_in_range(count_lines(text), 3, 5);
    assert_non_null(strstr(text, "    ranks 0-499, 501-998: MPI_Recv(tag 1) at r.c:2, wait for "
                                 "rank+1, for 0.5 to 998.5 s; 1 to 999 calls (+0 to 2)\n"));
    assert_non_null(strstr(text,
                           "    rank 500: MPI_Ssend(peer 501, tag 1) at r.c:2, waits for 501, "
                           "for 500.5 s; 501 calls (+2)\n"));
    free(text);
    free(line);
}

/* All in other lines of the program. */
static void what_does_not_fold_is_cut(void **state)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);

    (void)state;
    fputs("{\"type\":\"state\",\"finding\":{\"id\":\"status\",\"severity\":\"note\",\"message\":"
          "\"m\",\"waits\":[",
          out);
    for (unsigned r = 0; r < 1000; r++)
        fprintf(out,
                "%s{\"rank\":%u,\"call\":\"MPI_Recv\",\"state\":\"blocked\",\"where\":{\"file\":"
                "\"r.c\",\"line\":%u}}",
                r > 0 ? "," : "", r, r + 1);
    fputs("]},\"progress\":[]}", out);
    assert_int_equal(fclose(out), 0);
    char *text = show(line);
    assert_int_equal(count_lines(text), 42);
    assert_non_null(strstr(text, "    ... and 960 more ranks\n"));
    free(text);
    free(line);
}

static void strange_bytes_and_numbers_are_survived(void **state)
{
    char *text = show("{\"type\":\"state\",\"finding\":{\"id\":\"status\",\"severity\":\"note\","
                      "\"message\":\"a\\u001b[2Jb\",\"waits\":[{\"rank\":7,\"call\":\"\",\"state\":"
                      "\"running\",\"detail\":\"x\\ny\"}]},\"progress\":[{\"rank\":3},5,null]}");

    (void)state;
    assert_null(strchr(text, '\033'));
    assert_int_equal(count_lines(text), 2);
    free(text);
}

/* ---- the line of --must:status ---- */

static struct ork_status_line ticker_of(void)
{
    struct ork_status_line t;
    struct ork_run_figures f = {.ranks = 4, .calls = 1000, .messages = 500};

    ork_status_line_init(&t, -1, "123-abcdefghijkl");
    ork_status_line_take(&t, &f, 10);
    f = (struct ork_run_figures){.ranks = 4,
                                 .calls = 13000,
                                 .messages = 700,
                                 .queued = 12,
                                 .is_blocked = true,
                                 .rank = 2,
                                 .seconds = 3,
                                 .call = "MPI_Recv at a.c:40"};
    ork_status_line_take(&t, &f, 12);
    return t;
}

static void the_line_says_rates_and_who_waits(void **state)
{
    struct ork_status_line t = ticker_of();
    char *line = ork_status_line_line(&t, 12, 0);

    (void)state;
    assert_string_equal(line, "orknot 123-abcdefghijkl: 12 s, 4 ranks, 13,000 calls (6,000/s), 100 "
                              "messages/s, queue 12, rank 2 3 s in MPI_Recv at a.c:40");
    free(line);
    line = ork_status_line_line(&t, 3672, 0);
    assert_ptr_equal(strstr(line, "1:01:12 h, "), line + strlen("orknot 123-abcdefghijkl: "));
    assert_non_null(strstr(line, "rank 2 3663 s in")); /* it goes on between two figures */
    free(line);
}

static void the_line_says_that_the_ranks_are_held_and_nobody_waits(void **state)
{
    struct ork_status_line t = ticker_of();

    (void)state;
    snprintf(t.held, sizeof(t.held), "choice 17 of rank 2");
    char *line = ork_status_line_line(&t, 12, 0);
    assert_non_null(strstr(line, "queue 12, held at choice 17 of rank 2"));
    assert_null(strstr(line, "MPI_Recv"));
    free(line);
}

static void a_narrow_terminal_gets_less(void **state)
{
    struct ork_status_line t = ticker_of();
    char *line = ork_status_line_line(&t, 12, 110);

    (void)state;
    assert_string_equal(line, "orknot 123: 12 s, 4 ranks, 13,000 calls (6,000/s), 100 messages/s, "
                              "queue 12, rank 2 3 s in MPI_Recv at a.c:40");
    free(line);
    line = ork_status_line_line(&t, 12, 79);
    assert_string_equal(line, "orknot 123: 12 s, 4 ranks, 13,000 calls (6,000/s), rank 2 3 s in "
                              "MPI_Recv at a.");
    free(line);
}

/* Ranks 0 to 7 make 4 calls a second; those from 4 on stop one after the other. */
static struct ork_status_line ticker_with_strips(void)
{
    struct ork_status_line t = ticker_of();
    struct ork_finding f = {.num_rates = 8, .rates = calloc(8, sizeof(*f.rates))};

    assert_non_null(f.rates);
    for (uint32_t r = 0; r < 8; r++) {
        struct ork_u32s *calls = &f.rates[r].calls;
        f.rates[r].rank = r;
        *calls = (struct ork_u32s){calloc(60, sizeof(*calls->item)), 60};
        for (uint32_t s = 0; s < (r < 4 ? 60 : 60 - r); s++)
            calls->item[s] = 4;
    }
    t.has_blocks = false;
    ork_status_line_take_rates(&t, &f);
    assert_int_equal(f.num_rates, 0);
    return t;
}

static void the_first_ones_to_stop_have_the_first_strips(void **state)
{
    struct ork_status_line t = ticker_with_strips();
    char *text = ork_status_line_strips(&t, 40, 24);

    (void)state;
    assert_string_equal(text, "    |#######       | rank 7\n"
                              "    |########      | rank 6\n"
                              "    |#########     | rank 5\n"
                              "    |##########    | rank 4\n"
                              "    ... and 4 more ranks\n");
    free(text);
    ork_status_line_release(&t);
}

static void a_small_terminal_has_no_strips(void **state)
{
    struct ork_status_line t = ticker_with_strips();
    char *text = ork_status_line_strips(&t, 30, 24);

    (void)state;
    assert_string_equal(text, "");
    free(text);
    text = ork_status_line_strips(&t, 80, 1);
    assert_string_equal(text, "");
    free(text);
    text = ork_status_line_strips(&t, 0, 2); /* not a terminal */
    assert_int_equal(count_lines(text), 2);
    assert_non_null(strstr(text, "... and 7 more ranks\n"));
    free(text);
    ork_status_line_release(&t);
}

static void the_locale_decides_the_signs(void **state)
{
    (void)state;
    setenv("LC_ALL", "C", 1);
    setenv("LANG", "de_DE.UTF-8", 1);
    assert_false(ork_locale_is_utf8());
    setenv("LC_ALL", "", 1);
    unsetenv("LC_CTYPE");
    assert_true(ork_locale_is_utf8());
    setenv("LC_CTYPE", "ja_JP.eucJP", 1);
    assert_false(ork_locale_is_utf8());
    setenv("LC_CTYPE", "C.utf8", 1);
    assert_true(ork_locale_is_utf8());
    unsetenv("LC_CTYPE");
    unsetenv("LANG");
    assert_false(ork_locale_is_utf8());
    unsetenv("LC_ALL");
}

static void a_pipe_gets_plain_lines(void **state)
{
    char said[256] = "";
    int ends[2];
    struct ork_status_line t;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    ork_status_line_init(&t, ends[1], "9-x");
    ork_status_line_show(&t, 61);
    ork_status_line_clear(&t);
    assert_int_equal(close(ends[1]), 0);
    assert_true(read(ends[0], said, sizeof(said) - 1) > 0);
    assert_string_equal(said, "orknot 9-x: 1:01 min, no rank has called MPI_Init yet\n");
    close(ends[0]);
}

int test_live_text(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_longest_comes_first),
        cmocka_unit_test(a_thousand_ranks_are_a_few_lines),
        cmocka_unit_test(what_does_not_fold_is_cut),
        cmocka_unit_test(strange_bytes_and_numbers_are_survived),
        cmocka_unit_test(the_line_says_rates_and_who_waits),
        cmocka_unit_test(the_line_says_that_the_ranks_are_held_and_nobody_waits),
        cmocka_unit_test(a_narrow_terminal_gets_less),
        cmocka_unit_test(the_first_ones_to_stop_have_the_first_strips),
        cmocka_unit_test(a_small_terminal_has_no_strips),
        cmocka_unit_test(the_locale_decides_the_signs),
        cmocka_unit_test(a_pipe_gets_plain_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
