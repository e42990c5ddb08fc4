/* SPDX-License-Identifier: BSD-3-Clause */
/* Options from files: whose files are read, what each may set, and which one wins. */
#include "tests/unit/report/folder.h"

#include "mustrun/options/list.h"
#include "mustrun/options/option_files.h"

#include "words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder with a home in it, in which the test stands. */
struct place {
    char home[PATH_MAX];
    struct ork_option_files files;
    struct ork_options options;
    struct ork_argv rest;
    char error[ORK_OPTIONS_ERROR];
};

static void enter(const struct folder *folder, struct place *p)
{
    *p = (struct place){.error = ""};
    assert_int_equal(fchdir(folder->fd), 0);
    assert_int_equal(mkdir("home", 0700) == 0 || access("home", F_OK) == 0, 1);
    assert_non_null(realpath("home", p->home));
}

/* Read the files, then the words. */
static enum ork_status take(struct place *p, char *const *words, char *const *environment)
{
    const char *named;
    enum ork_status status = ork_options_named_file(words, environment, &named, p->error);

    if (status == ORK_OK)
        status = ork_option_files_read(p->home, named, &p->files, p->error);
    if (status == ORK_OK)
        status =
            ork_options_parse(words, environment, &p->files.lines, &p->options, &p->rest, p->error);
    return status;
}

static void leave(struct place *p)
{
    ork_argv_release(&p->rest);
    ork_option_files_release(&p->files);
}

static char *const nothing[] = {NULL};

static void lines_have_a_name_and_a_value(void **state)
{
    struct place p;

    enter(*state, &p);
    folder_put(*state, "home/" ORK_OPTION_FILE,
               "# what I always want\n\n  hang-after = 5m  \n--must:errors warnings\r\nquiet\n"
               "sends=eager=64K\non deadlock=continue,unchecked=fail\nqueue-limit 2G");
    assert_int_equal(take(&p, nothing, nothing), ORK_OK);
    assert_true(p.options.hang_after == 300);
    assert_string_equal(p.options.errors, "warnings");
    assert_true(p.options.quiet && p.options.go_on && p.options.unchecked_fails);
    assert_string_equal(p.options.sends, "eager=65536");
    assert_int_equal(p.options.queue_limit, 2048);
    assert_null(p.files.of_folder);
    assert_int_equal(p.files.num_ignored, 0);
    leave(&p);
}

static void what_comes_later_wins(void **state)
{
    struct place p;

    enter(*state, &p);
    folder_put(*state, "home/" ORK_OPTION_FILE,
               "callers 1\nfanin 2\nleaf-ranks 3\nhang-after 4\nqueue-limit 5\n");
    folder_put(*state, ORK_OPTION_FILE, "fanin 12\nleaf-ranks 13\nhang-after 14\nqueue-limit 15\n");
    folder_put(*state, "named", "leaf-ranks 23\nhang-after 24\nqueue-limit 25\n");
    assert_int_equal(take(&p, WORDS("--must:options", "named", "--must:queue-limit=45"),
                          WORDS("MUST_HANG_AFTER=34", "MUST_QUEUE_LIMIT=35")),
                     ORK_OK);
    assert_int_equal(p.options.callers, 1);
    assert_int_equal(p.options.fanin, 12);
    assert_int_equal(p.options.leaf_ranks, 23);
    assert_true(p.options.hang_after == 34);
    assert_int_equal(p.options.queue_limit, 45);
    assert_string_equal(p.files.of_folder,
                        "fanin=12, leaf-ranks=13, hang-after=14, queue-limit=15");
    leave(&p);
}

/* RATIONALE: this list is written a second time, so that a new option is not harmless by
 * oversight. */
static void a_cloned_folder_sets_nothing_that_could_harm(void **state)
{
    static const char *const harmless[] = {
        "callers", "status",     "hang-after",  "poll",         "check-buffers", "memory-model",
        "races",   "sends",      "collectives", "noise",        "deterministic", "explore-bounds",
        "fanin",   "leaf-ranks", "queue-limit", "start-timeout"};
    const size_t count = sizeof(harmless) / sizeof(harmless[0]);
    struct place p;

    enter(*state, &p);
    for (unsigned id = 0; id < ORK_OPTION_MAX; id++) {
        const struct ork_option_text *text = &ork_option_texts[id];
        const char *name = text->old != NULL ? text->old : text->name;
        char line[200], sentence[300];
        size_t i = 0;
        while (i < count && strcmp(ork_option_texts[text->option].name, harmless[i]) != 0)
            i++;
        if (i < count)
            continue;
        snprintf(line, sizeof(line), "\n%s%s", name, text->arg != NULL ? " x" : "");
        folder_put(*state, ORK_OPTION_FILE, line);
        snprintf(sentence, sizeof(sentence), "./.orknotrc:2: ");
        assert_int_equal(take(&p, nothing, nothing), ORK_INVALID);
        assert_memory_equal(p.error, sentence, strlen(sentence));
        assert_non_null(strstr(p.error, "may not set"));
        assert_non_null(strstr(p.error, name));
        leave(&p);
    }
}

static void the_folder_may_say_how_the_program_is_to_be_judged(void **state)
{
    struct place p;

    enter(*state, &p);
    folder_put(*state, ORK_OPTION_FILE, "sends buffered\nraces on\npoll\n");
    assert_int_equal(take(&p, nothing, nothing), ORK_OK);
    assert_string_equal(p.options.sends, "buffered");
    assert_string_equal(p.files.of_folder, "sends=buffered, races=on, poll");
    leave(&p);
}

static void files_of_others_are_not_read(void **state)
{
    struct place p;

    enter(*state, &p);
    folder_put(*state, ORK_OPTION_FILE, "races on\n");
    assert_int_equal(chmod(ORK_OPTION_FILE, 0666), 0);
    assert_int_equal(take(&p, nothing, nothing), ORK_OK);
    assert_false(p.options.races);
    assert_int_equal(p.files.num_ignored, 1);
    assert_string_equal(p.files.ignored[0], "./.orknotrc is not read: every user may write it");
    leave(&p);
    assert_int_equal(unlink(ORK_OPTION_FILE), 0);
    folder_put(*state, "elsewhere", "races on\n");
    assert_int_equal(symlink("elsewhere", ORK_OPTION_FILE), 0);
    assert_int_equal(take(&p, nothing, nothing), ORK_OK);
    assert_false(p.options.races);
    assert_int_equal(p.files.num_ignored, 1);
    leave(&p);
    assert_int_equal(unlink(ORK_OPTION_FILE), 0);
    assert_int_equal(mkfifo(ORK_OPTION_FILE, 0600), 0);
    assert_int_equal(take(&p, nothing, nothing), ORK_OK);
    assert_int_equal(p.files.num_ignored, 1);
    leave(&p);
    if (geteuid() != 0)
        return;
    assert_int_equal(unlink(ORK_OPTION_FILE), 0);
    folder_put(*state, ORK_OPTION_FILE, "races on\n");
    assert_int_equal(chown(ORK_OPTION_FILE, 65534, (gid_t)-1), 0);
    assert_int_equal(take(&p, nothing, nothing), ORK_OK);
    assert_false(p.options.races);
    assert_string_equal(p.files.ignored[0], "./.orknotrc is not read: it belongs to another user");
    leave(&p);
}

/* In the home itself, the file is the user's own one. */
static void the_home_is_no_foreign_folder(void **state)
{
    struct place p;

    enter(*state, &p);
    folder_put(*state, "home/" ORK_OPTION_FILE, "quiet\n");
    assert_int_equal(chdir("home"), 0);
    assert_int_equal(take(&p, nothing, nothing), ORK_OK);
    assert_true(p.options.quiet);
    assert_null(p.files.of_folder);
    leave(&p);
}

static void a_wrong_line_is_a_sentence_with_its_place(void **state)
{
    static const struct {
        const char *line, *sentence;
    } row[] = {
        {"hang-aftr 5", "named:2: there is no option hang-aftr"},
        {"quiet yes", "named:2: this option takes no value: quiet"},
        {"errors", "named:2: this option needs a value: errors"},
        {"options other", "named:2: a file may not set options"},
        {"version", "named:2: a file may not set version"},
        {"fanin 1", "named:2: fanin: \"1\" is not a number from 2 to 65536"},
        {"\x1b[2J", "named:2: there is no option ?[2J"},
    };
    struct place p;

    enter(*state, &p);
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        char text[100];
        snprintf(text, sizeof(text), "\n%s\n", row[i].line);
        folder_put(*state, "named", text);
        assert_int_equal(take(&p, WORDS("--must:options=named"), nothing), ORK_INVALID);
        assert_string_equal(p.error, row[i].sentence);
        leave(&p);
    }
    assert_int_equal(take(&p, WORDS("--must:options=nowhere"), nothing), ORK_INVALID);
    assert_string_equal(p.error, "cannot read nowhere: No such file or directory");
    leave(&p);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

int test_option_files(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(lines_have_a_name_and_a_value),
        IN_FOLDER(what_comes_later_wins),
        IN_FOLDER(a_cloned_folder_sets_nothing_that_could_harm),
        IN_FOLDER(the_folder_may_say_how_the_program_is_to_be_judged),
        IN_FOLDER(files_of_others_are_not_read),
        IN_FOLDER(the_home_is_no_foreign_folder),
        IN_FOLDER(a_wrong_line_is_a_sentence_with_its_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
