/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of programs, made of this test's own file. */
#include "mustrun/launcher/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/orknot-executable-XXXXXX";
static char program[64]; /* in it */
static uint8_t *own;     /* this test's file */
static size_t own_size;

static int set_up(void **state)
{
    FILE *file = fopen("/proc/self/exe", "re");
    struct stat st;

    (void)state;
    if (file == NULL || fstat(fileno(file), &st) != 0 || mkdtemp(folder) == NULL)
        return 1;
    own_size = (size_t)st.st_size;
    own = malloc(own_size);
    size_t n = fread(own, 1, own_size, file);
    fclose(file);
    snprintf(program, sizeof(program), "%s/program", folder);
    return n == own_size ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(program);
    rmdir(folder);
    free(own);
    return 0;
}

static void put(const void *bytes, size_t size, mode_t mode)
{
    unlink(program);
    int fd = open(program, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static enum ork_executable_kind look(struct ork_executable *out)
{
    ork_executable_inspect(program, NULL, NULL, out);
    return out->kind;
}

static void the_kind_of_a_file_is_known(void **state)
{
    struct ork_executable e;

    (void)state;
    unlink(program);
    assert_int_equal(look(&e), ORK_EXECUTABLE_MISSING);
    put(own, own_size, 0755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_DYNAMIC);
    put(own, own_size, 0600);
    assert_int_equal(look(&e), ORK_EXECUTABLE_DENIED);
    put("#!/bin/sh\n", 10, 0755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_SCRIPT);
    put("", 0, 0755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_SCRIPT);
    ork_executable_inspect(folder, NULL, NULL, &e);
    assert_int_equal(e.kind, ORK_EXECUTABLE_FOLDER);
}

static void an_elf_file_is_told_apart(void **state)
{
    struct ork_executable e;
    uint8_t *copy = malloc(own_size);
    ElfW(Ehdr) head;

    (void)state;
    memcpy(copy, own, own_size);
    memcpy(&head, own, sizeof(head));
    copy[offsetof(ElfW(Ehdr), e_machine)] ^= 1;
    put(copy, own_size, 0755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_FOREIGN);
    memcpy(copy, own, own_size);
    copy[EI_CLASS] = copy[EI_CLASS] == ELFCLASS64 ? ELFCLASS32 : ELFCLASS64;
    put(copy, own_size, 0755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_FOREIGN);
    memcpy(copy, own, own_size);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        ElfW(Phdr) segment;
        uint8_t *at = copy + head.e_phoff + i * sizeof(segment);
        memcpy(&segment, at, sizeof(segment));
        segment.p_type = segment.p_type == PT_INTERP ? PT_NULL : segment.p_type;
        memcpy(at, &segment, sizeof(segment));
    }
    put(copy, own_size, 0755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_STATIC);
    free(copy);
}

static void rights_of_another_user_are_seen(void **state)
{
    struct ork_executable e;

    (void)state;
    put(own, own_size, 04755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_DYNAMIC); /* one's own */
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(program, 65534, 0), 0);
    assert_int_equal(chmod(program, 04755), 0);
    assert_int_equal(look(&e), ORK_EXECUTABLE_PRIVILEGED);
    assert_int_equal(chown(program, 0, 65534), 0);
    assert_int_equal(chmod(program, 02755), 0);
    assert_int_equal(look(&e), ORK_EXECUTABLE_PRIVILEGED);
}

/* In place of a library of this test's own list. */
static bool name_library(uint8_t *copy, const char *name)
{
    static const char library[] = "libcmocka.so.0";
    char *at = memmem(copy, own_size, library, sizeof(library));

    if (at != NULL)
        memcpy(at, name, strlen(name) + 1);
    return at != NULL;
}

static void the_sanitizers_library_is_found(void **state)
{
    static const char *const none[] = {"libasan_x.so", "libtsan.so.2", "libubsan.so.1", ""};
    struct ork_executable e;

    (void)state;
    put(own, own_size, 0755);
    look(&e);
    if (e.sanitizer[0] != '\0')
        skip(); /* this test itself is built with it */
    uint8_t *copy = malloc(own_size);
    memcpy(copy, own, own_size);
    assert_true(name_library(copy, "libasan.so.8"));
    put(copy, own_size, 0755);
    assert_int_equal(look(&e), ORK_EXECUTABLE_DYNAMIC);
    assert_string_equal(e.sanitizer, "libasan.so.8");
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        memcpy(copy, own, own_size);
        name_library(copy, none[i]);
        put(copy, own_size, 0755);
        assert_int_equal(look(&e), ORK_EXECUTABLE_DYNAMIC);
        assert_string_equal(e.sanitizer, "");
    }
    assert_true(ork_is_sanitizer("/opt/lib/libasan.so.8"));
    assert_true(ork_is_sanitizer("libclang_rt.asan-x86_64.so"));
    free(copy);
}

static void a_name_without_a_slash_is_looked_for(void **state)
{
    struct ork_executable e;
    char path[100];

    (void)state;
    put(own, own_size, 0755);
    snprintf(path, sizeof(path), "/no/such::%s", folder);
    ork_executable_inspect("program", NULL, path, &e);
    assert_int_equal(e.kind, ORK_EXECUTABLE_DYNAMIC);
    assert_string_equal(e.path, program);
    ork_executable_inspect("program", folder, "/no/such", &e);
    assert_int_equal(e.kind, ORK_EXECUTABLE_DYNAMIC);
    ork_executable_inspect("./program", folder, NULL, &e);
    assert_int_equal(e.kind, ORK_EXECUTABLE_DYNAMIC);
    ork_executable_inspect("program", "/no/such", path + 8, &e);
    assert_int_equal(e.kind, ORK_EXECUTABLE_DYNAMIC);
    ork_executable_inspect("program", NULL, NULL, &e);
    assert_int_equal(e.kind, ORK_EXECUTABLE_MISSING);
}

static void any_bytes_give_a_kind(void **state)
{
    struct ork_executable e;
    uint32_t seed = 1;
    size_t size = own_size < 16384 ? own_size : 16384;
    uint8_t *copy = malloc(size);

    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        memcpy(copy, own, size);
        for (unsigned k = 0; k < 8; k++) {
            seed = seed * 1664525u + 1013904223u;
            copy[4 + (seed >> 8) % (k < 6 ? 900 : size - 4)] = (uint8_t)(seed >> 3);
        }
        put(copy, i % 3 == 0 ? seed % size : size, 0755);
        assert_in_range(look(&e), ORK_EXECUTABLE_SCRIPT, ORK_EXECUTABLE_DYNAMIC);
    }
    free(copy);
}

int test_executable(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kind_of_a_file_is_known),
        cmocka_unit_test(an_elf_file_is_told_apart),
        cmocka_unit_test(rights_of_another_user_are_seen),
        cmocka_unit_test(the_sanitizers_library_is_found),
        cmocka_unit_test(a_name_without_a_slash_is_looked_for),
        cmocka_unit_test(any_bytes_give_a_kind),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
