/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stream/trace.h"
#include "tests/unit/record/random.h"

#include "tests/unit/overlay/stage/unit.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CHUNKS = 40, CHUNK_RECORDS = 20 };

/* What was written, chunk by chunk. */
struct written {
    struct ork_record record[CHUNKS][CHUNK_RECORDS];
    size_t count[CHUNKS]; /* 0: an end */
    uint32_t rank[CHUNKS];
};

static void name_file(char path[64])
{
    snprintf(path, 64, "/tmp/orknot-unit-trace-%d", (int)getpid());
    unlink(path);
}

static void write_sample(const char *path, uint64_t seed, struct written *w)
{
    struct ork_trace *trace;

    assert_int_equal(ork_trace_create(path, &trace), ORK_OK);
    for (size_t c = 0; c < CHUNKS; c++) {
        w->rank[c] = (uint32_t)(random_next(&seed) % 5) * 30;
        w->count[c] = c % 8 == 7 ? 0 : 1 + random_next(&seed) % CHUNK_RECORDS;
        memset(w->record[c], 0, sizeof(w->record[c]));
        for (size_t i = 0; i < w->count[c]; i++)
            random_record(&seed, &w->record[c][i]);
        if (w->count[c] > 0)
            assert_int_equal(ork_trace_records(trace, w->rank[c], w->record[c], w->count[c]),
                             ORK_OK);
        else
            assert_int_equal(ork_trace_end(trace, w->rank[c], (uint8_t)(c % 3)), ORK_OK);
    }
    assert_int_equal(ork_trace_close(trace), ORK_OK);
}

static size_t load(const char *path, char **bytes)
{
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    *bytes = malloc(1 << 20);
    size_t size = fread(*bytes, 1, 1 << 20, file);

    fclose(file);
    assert_in_range(size, 1000, (1 << 20) - 1);
    return size;
}

static void assert_chunk(const struct written *w, size_t c, const struct ork_trace_chunk *chunk)
{
    assert_int_equal(chunk->rank, w->rank[c]);
    if (w->count[c] == 0) {
        assert_int_equal(chunk->kind, ORK_TRACE_END);
        assert_int_equal(chunk->how, c % 3);
        return;
    }
    assert_int_equal(chunk->kind, ORK_TRACE_RECORDS);
    assert_int_equal(chunk->num_records, w->count[c]);
    assert_memory_equal(chunk->record, w->record[c], w->count[c] * sizeof(*chunk->record));
}

/* Read a whole trace of `size` bytes, which starts as `w` (NULL: as nothing known). Returns the
 * status of the end, and how many chunks came before it. */
static enum ork_status read_bytes(char *bytes, size_t size, const struct written *w, size_t *chunks)
{
    FILE *file = fmemopen(bytes, size, "r");
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;

    assert_non_null(file);
    *chunks = 0;
    enum ork_status status = ork_trace_open(file, &reader);
    if (status == ORK_OK) {
        while ((status = ork_trace_next(reader, &chunk)) == ORK_OK) {
            if (w != NULL)
                assert_chunk(w, *chunks, &chunk);
            ++*chunks;
        }
        ork_trace_reader_destroy(reader);
    }
    fclose(file);
    return status;
}

static void what_was_written_comes_back(void **state)
{
    char path[64];
    char *bytes;
    size_t chunks;
    static struct written w;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        name_file(path);
        write_sample(path, seed, &w);
        size_t size = load(path, &bytes);
        assert_int_equal(read_bytes(bytes, size, &w, &chunks), ORK_CLOSED);
        assert_int_equal(chunks, CHUNKS);
        free(bytes);
        unlink(path);
    }
}

static void a_trace_cut_anywhere_gives_what_is_whole(void **state)
{
    char path[64];
    char *bytes;
    size_t chunks, most = 0, clean = 0;
    static struct written w;

    (void)state;
    name_file(path);
    write_sample(path, 77, &w);
    size_t size = load(path, &bytes);
    for (size_t cut = 1; cut < size; cut++) {
        enum ork_status status = read_bytes(bytes, cut, &w, &chunks);
        assert_true(status == ORK_TRUNCATED || (status == ORK_CLOSED && cut >= 12));
        assert_true(chunks == most || chunks == most + 1);
        clean += status == ORK_CLOSED;
        most = chunks;
    }
    assert_int_equal(most, CHUNKS - 1);
    assert_int_equal(clean, CHUNKS); /* before the first chunk, and after each but the last */
    free(bytes);
    unlink(path);
}

static void a_damaged_trace_ends_with_a_status(void **state)
{
    char path[64];
    char *bytes;
    size_t chunks;
    uint64_t seed = 5;
    unsigned damaged = 0;
    static struct written w;

    (void)state;
    name_file(path);
    write_sample(path, 78, &w);
    size_t size = load(path, &bytes);
    char *copy = malloc(size);
    for (int i = 0; i < 600; i++) {
        memcpy(copy, bytes, size);
        for (int k = 0; k < 3; k++)
            copy[12 + random_next(&seed) % (size - 12)] = (char)random_next(&seed);
        enum ork_status status = read_bytes(copy, size, NULL, &chunks);
        assert_true(status == ORK_CLOSED || status == ORK_TRUNCATED || status == ORK_INVALID);
        damaged += status != ORK_CLOSED;
    }
    assert_in_range(damaged, 20, 600);
    free(copy);
    free(bytes);
    unlink(path);
}

static void garbage_is_no_trace(void **state)
{
    char bytes[4096];
    uint64_t seed = 9;
    size_t chunks;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        size_t size = 1 + random_next(&seed) % sizeof(bytes);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (char)random_next(&seed);
        assert_int_equal(read_bytes(bytes, size, NULL, &chunks),
                         size < 12 ? ORK_TRUNCATED : ORK_INVALID);
        if (size < 24)
            continue;
        memcpy(bytes, "ORKTRACE\2\0\0\0", 12);
        enum ork_status status = read_bytes(bytes, size, NULL, &chunks);
        assert_true(status == ORK_TRUNCATED || status == ORK_INVALID || status == ORK_CLOSED);
    }
}

static void a_rank_beyond_every_machine_is_invalid(void **state)
{
    struct {
        char magic[8];
        uint32_t version, rank, kind, size;
        uint8_t record;
    } bytes = {{'O', 'R', 'K', 'T', 'R', 'A', 'C', 'E'}, 2, 1 << 24, ORK_TRACE_RECORDS, 1, 0};
    size_t chunks;

    (void)state;
    assert_int_equal(read_bytes((char *)&bytes, 25, NULL, &chunks), ORK_INVALID);
    bytes.rank = (1 << 24) - 1;
    bytes.kind = ORK_TRACE_END;
    assert_int_equal(read_bytes((char *)&bytes, 25, NULL, &chunks), ORK_CLOSED);
    assert_int_equal(chunks, 1);
}

/* The rank's stream is as senseless to a reader as it was; the others are untouched. */
static void senseless_records_do_not_make_a_trace_unreadable(void **state)
{
    const struct ork_record bad[] = {{.kind = UINT8_MAX},
                                     {.kind = ORK_KIND_CONT, .flags = 200}, /* words */
                                     {.kind = ORK_KIND_CONT}};
    const struct ork_record good = {.kind = ORK_KIND_OPAQUE, .extra = 42};
    struct ork_trace *trace;
    char path[64];
    char *bytes;

    (void)state;
    name_file(path);
    assert_int_equal(ork_trace_create(path, &trace), ORK_OK);
    for (int i = 0; i < 100; i++) { /* so that the file is long enough for load() */
        assert_int_equal(ork_trace_records(trace, 0, bad, 3), ORK_OK);
        assert_int_equal(ork_trace_records(trace, 1, &good, 1), ORK_OK);
    }
    assert_int_equal(ork_trace_close(trace), ORK_OK);
    size_t size = load(path, &bytes);
    FILE *file = fmemopen(bytes, size, "r");
    struct ork_trace_reader *reader;
    struct ork_trace_chunk chunk;
    assert_int_equal(ork_trace_open(file, &reader), ORK_OK);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(ork_trace_next(reader, &chunk), ORK_OK);
        assert_int_equal(chunk.num_records, 6);
        for (int k = 0; k < 6; k += 2) { /* a list longer than its record says */
            assert_int_equal(chunk.record[k].count, 1);
            assert_int_equal(chunk.record[k + 1].kind, ORK_KIND_CONT);
            assert_int_equal(chunk.record[k + 1].flags, 2);
        }
        assert_int_equal(ork_trace_next(reader, &chunk), ORK_OK);
        assert_int_equal(chunk.rank, 1);
        assert_memory_equal(chunk.record, &good, sizeof(good));
    }
    assert_int_equal(ork_trace_next(reader, &chunk), ORK_CLOSED);
    ork_trace_reader_destroy(reader);
    fclose(file);
    free(bytes);
    unlink(path);
}

static void another_file_is_not_overwritten(void **state)
{
    struct ork_trace *trace;
    char path[64];

    (void)state;
    name_file(path);
    assert_int_equal(ork_trace_create(path, &trace), ORK_OK);
    assert_int_equal(ork_trace_close(trace), ORK_OK);
    assert_int_equal(ork_trace_create(path, &trace), ORK_OK); /* an earlier trace is */
    assert_int_equal(ork_trace_close(trace), ORK_OK);
    unlink(path);
    FILE *other = fopen(path, "w");
    assert_non_null(other);
    fputs("ORKTRAC, somebody's", other);
    fclose(other);
    assert_int_equal(ork_trace_create(path, &trace), ORK_EXISTS);
    unlink(path);
    assert_int_equal(symlink("/tmp/orknot-unit-elsewhere", path), 0);
    assert_int_equal(ork_trace_create(path, &trace), ORK_EXISTS);
    unlink(path);
    assert_int_equal(ork_trace_create("/tmp/orknot-unit-no-such-folder/t", &trace), ORK_IO);
}

static void a_full_disk_is_told_at_the_end_at_latest(void **state)
{
    const struct rlimit small = {.rlim_cur = 64, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    struct ork_record record = {0};
    struct ork_trace *trace;
    uint64_t seed = 3;
    char path[64];

    (void)state;
    name_file(path);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(ork_trace_create(path, &trace), ORK_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 10; i++) {
        random_record(&seed, &record);
        ork_trace_records(trace, 0, &record, 1); /* buffered: may fail here already */
    }
    enum ork_status status = ork_trace_close(trace);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, ORK_IO);
    unlink(path);
}

int test_trace(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_comes_back),
        cmocka_unit_test(a_trace_cut_anywhere_gives_what_is_whole),
        cmocka_unit_test(a_damaged_trace_ends_with_a_status),
        cmocka_unit_test(garbage_is_no_trace),
        cmocka_unit_test(a_rank_beyond_every_machine_is_invalid),
        cmocka_unit_test(senseless_records_do_not_make_a_trace_unreadable),
        cmocka_unit_test(another_file_is_not_overwritten),
        cmocka_unit_test(a_full_disk_is_told_at_the_end_at_latest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
