/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/order/file_stage.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/orknot-order.XXXXXX";
char path[64], other[64];
const struct ork_order_header header = {.ranks = 3, .program = "farm"};

int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof(path), "%s/a.order", folder);
    snprintf(other, sizeof(other), "%s/b.order", folder);
    signal(SIGXFSZ, SIG_IGN);
    return 0;
}

int remove_files(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return 0;
}

int tear_down(void **state)
{
    remove_files(state);
    return rmdir(folder);
}

struct ork_order_writer *create(void)
{
    struct ork_order_writer *writer = NULL;

    assert_int_equal(ork_order_writer_create(path, &header, &writer), ORK_OK);
    return writer;
}

struct ork_order_file *read_file(const char *name)
{
    struct ork_order_file *file = NULL;
    char error[ORK_ORDER_ERROR] = "";

    assert_int_equal(ork_order_file_read(name, &file, error), ORK_OK);
    assert_string_equal(error, "");
    return file;
}

void expect_refusal(const char *name, const char *sentence)
{
    struct ork_order_file *file = NULL;
    char error[ORK_ORDER_ERROR] = "";

    assert_int_equal(ork_order_file_read(name, &file, error), ORK_INVALID);
    assert_string_equal(error, sentence);
    assert_null(file);
}

size_t size_of(const char *name)
{
    struct stat s;

    assert_int_equal(stat(name, &s), 0);
    return (size_t)s.st_size;
}

uint8_t *load(size_t *size)
{
    FILE *in = fopen(path, "rb");

    assert_non_null(in);
    *size = size_of(path);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

void save(const uint8_t *bytes, size_t size)
{
    FILE *out = fopen(other, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

void write_sample(void)
{
    struct ork_order_writer *writer = create();
    const uint8_t bytes[] = "0123456789abcdefghijklmnopqrstuvwxyz";

    assert_int_equal(ork_order_writer_site(writer, 0, 7, "farm.c:40 in main()"), ORK_OK);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(ork_order_writer_add(writer, 0, 9 * i, bytes + 9 * i, 9), ORK_OK);
        assert_int_equal(ork_order_writer_add(writer, 2, 3 * i, bytes, 3), ORK_OK);
        assert_int_equal(ork_order_writer_flush(writer), ORK_OK);
    }
    assert_int_equal(ork_order_writer_job(writer, 5, 1, 2), ORK_OK);
    assert_int_equal(ork_order_writer_site(writer, 5, 7, "child.c:3"), ORK_OK);
    assert_int_equal(ork_order_writer_close(writer, true), ORK_OK);
}
