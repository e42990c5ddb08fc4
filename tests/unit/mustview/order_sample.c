/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes orders of a run for test_order.py: order_sample FOLDER. */
#include "order/file/file.h"
#include "record/calls.h"
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sample {
    struct ork_order_writer *writer;
    struct ork_order_encoder *encoder; /* of the present rank */
    uint32_t rank;
    uint64_t offset;
    bool failed;
};

static void note(struct sample *s, enum ork_status status)
{
    s->failed |= status != ORK_OK;
}

static void begin(struct sample *s, const char *folder, const char *name,
                  const struct ork_order_header *header)
{
    char path[4096];

    memset(s, 0, sizeof(*s));
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (ork_order_writer_create(path, header, &s->writer) != ORK_OK)
        exit(1);
}

static void begin_rank(struct sample *s, uint32_t rank)
{
    s->encoder = ork_order_encoder_create();
    s->rank = rank;
    s->offset = 0;
    if (s->encoder == NULL)
        exit(1);
}

static void add_bytes(struct sample *s, const uint8_t *bytes, size_t size)
{
    note(s, ork_order_writer_add(s->writer, s->rank, s->offset, bytes, size));
    s->offset += size;
}

static void add(struct sample *s, struct ork_choice choice)
{
    uint8_t bytes[ORK_CHOICE_ROOM(16)];

    add_bytes(s, bytes, ork_order_encode(s->encoder, &choice, bytes));
}

static void end_rank(struct sample *s)
{
    uint8_t bytes[ORK_CHOICE_ROOM(0)];

    add_bytes(s, bytes, ork_order_encode_pending(s->encoder, bytes));
    ork_order_encoder_destroy(s->encoder);
}

static void end(struct sample *s, bool complete)
{
    note(s, ork_order_writer_close(s->writer, complete));
    if (s->failed)
        exit(1);
}

static struct ork_choice receive(int32_t source, int32_t tag)
{
    return (struct ork_choice){.kind = ORK_CHOICE_RECEIVE,
                               .call = ORK_CALL_MPI_Recv,
                               .site = 1,
                               .place = 0x1a,
                               .source = source,
                               .tag = tag};
}

static struct ork_choice test(unsigned call, const uint32_t *index, uint32_t count, uint64_t polls)
{
    return (struct ork_choice){.kind = ORK_CHOICE_TEST,
                               .call = (uint16_t)call,
                               .site = 2,
                               .place = 0x2b,
                               .polls = polls,
                               .index = index,
                               .count = count};
}

static struct ork_choice lock(enum ork_choice_kind kind, int32_t target, int32_t before,
                              uint64_t post)
{
    bool is_late = kind == ORK_CHOICE_LATE_LOCK;

    return (struct ork_choice){.kind = (uint8_t)kind,
                               .call = is_late ? ORK_CALL_MPI_Win_unlock : ORK_CALL_MPI_Win_lock,
                               .place = is_late ? 4 : 3,
                               .source = target,
                               .tag = before,
                               .post = post};
}

/* A master of two workers, and a worker that tests. `second`: source of its second receive. */
static void write_farm(const char *folder, const char *name, int32_t second, uint32_t more,
                       bool complete)
{
    const struct ork_order_header header = {.ranks = 3, .program = "farm"};
    const uint32_t index[] = {0, 4};
    struct sample s;

    begin(&s, folder, name, &header);
    note(&s, ork_order_writer_site(s.writer, 0, 1, "farm.c:40 in main()"));
    note(&s, ork_order_writer_site(s.writer, 2, 2, "farm.c:7\033[2J"));
    begin_rank(&s, 0);
    add(&s, receive(1, 7));
    add(&s, receive(second, 7));
    for (uint32_t i = 0; i < more; i++)
        add(&s, receive(2, 7));
    end_rank(&s);
    begin_rank(&s, 2);
    add(&s, test(ORK_CALL_MPI_Testsome, index, 2, 12));
    add(&s, (struct ork_choice){.kind = ORK_CHOICE_END, .polls = 1});
    end_rank(&s);
    end(&s, complete);
}

static void add_all_kinds(struct sample *s)
{
    const uint32_t index[] = {1, 2, 3, 7, 9, 10};
    struct ork_choice c = receive(ORK_CANCELLED, 0);

    c.post = 4;
    add(s, c);
    c = receive(3, -1);
    c.post = 5;
    c.post_thread = 2;
    add(s, c);
    add(s, receive(ORK_PROC_NULL, -1));
    c = receive(2, 0);
    c.kind = ORK_CHOICE_PROBE;
    c.call = ORK_CALL_MPI_Iprobe;
    c.polls = 1;
    add(s, c);
    add(s, test(ORK_CALL_MPI_Test, NULL, 0, 0));
    add(s, test(ORK_CALL_MPI_Testall, NULL, 0, 0));
    add(s, test(ORK_CALL_MPI_Win_test, NULL, 0, 0));
    add(s, test(ORK_CALL_MPI_Request_get_status, NULL, 0, 0));
    add(s, test(ORK_CALL_MPI_Testany, NULL, 0, 0));
    add(s, test(UINT16_MAX, NULL, 0, 0));
    add(s, test(ORK_CALL_MPI_Testsome, index, 6, 0));
    c = test(ORK_CALL_MPI_Waitany, index + 3, 1, 0);
    c.kind = ORK_CHOICE_WAIT;
    add(s, c);
    add(s, (struct ork_choice){
               .kind = ORK_CHOICE_CANCEL, .call = ORK_CALL_MPI_Wait, .place = 1, .post = 2});
    add(s, (struct ork_choice){
               .kind = ORK_CHOICE_CANCEL, .call = ORK_CALL_MPI_Wait, .place = 1, .source = 1});
    add(s, lock(ORK_CHOICE_LOCK, 3, 1, 6));
    add(s, lock(ORK_CHOICE_LATE_LOCK, 3, 2, 6));
    add(s, lock(ORK_CHOICE_LOCK, ORK_NO_PEER, 0, 7));
    add(s, (struct ork_choice){.kind = ORK_CHOICE_END});
}

static void write_all_kinds(const char *folder)
{
    const struct ork_order_header header = {.ranks = 1, .program = "kinds"};
    struct sample s;

    begin(&s, folder, "kinds", &header);
    begin_rank(&s, 0);
    add_all_kinds(&s);
    end_rank(&s);
    end(&s, true);
}

/* Two threads in a spawned rank; `swapped`: their choices are interleaved in another way. */
static void write_threads(const char *folder, const char *name, bool swapped, int32_t last)
{
    const struct ork_order_header header = {.ranks = 1, .program = "threads"};
    struct ork_choice a = receive(1, 0), b = receive(2, 0);
    struct sample s;

    b.thread = 1;
    begin(&s, folder, name, &header);
    note(&s, ork_order_writer_job(s.writer, 1, 1, 0));
    begin_rank(&s, 1);
    add(&s, swapped ? b : a);
    add(&s, swapped ? a : b);
    b.source = last;
    add(&s, b);
    end_rank(&s);
    end(&s, true);
}

/* The same words, in another place of the program; of another program. */
static void write_other(const char *folder, const char *name, const char *program, uint32_t place)
{
    const struct ork_order_header header = {.ranks = 1, .program = ""};
    struct ork_order_header other = header;
    struct ork_choice c = receive(1, 7);
    struct sample s;

    snprintf(other.program, sizeof(other.program), "%s", program);
    begin(&s, folder, name, &other);
    note(&s, ork_order_writer_site(s.writer, 0, 1, "farm.c:40"));
    begin_rank(&s, 0);
    c.place = place;
    add(&s, c);
    end_rank(&s);
    end(&s, true);
}

/* A loop of receives, and then a probe. In the other run, some messages come from another source,
 * a test has fewer polls, and there is no probe. */
static void write_loop(const char *folder, const char *name, bool is_other)
{
    enum { LOOP = 20 };
    const struct ork_order_header header = {.ranks = 1, .program = "loop"};
    struct ork_choice c = receive(2, 0);
    struct sample s;

    begin(&s, folder, name, &header);
    begin_rank(&s, 0);
    add(&s, receive(1, 0));
    add(&s, receive(is_other ? 2 : 1, 0));
    add(&s, test(ORK_CALL_MPI_Test, NULL, 0, is_other ? 3 : 5));
    for (int32_t i = 0; i < LOOP; i++)
        add(&s, receive(is_other ? 1 + i / (LOOP / 2) : 1, i));
    c.kind = ORK_CHOICE_PROBE;
    c.call = ORK_CALL_MPI_Probe;
    add(&s, is_other ? receive(2, 0) : c);
    add(&s, (struct ork_choice){.kind = ORK_CHOICE_END, .polls = 1});
    end_rank(&s);
    end(&s, true);
}

/* Two receives that differ, and then another call. */
static void write_pair(const char *folder, const char *name, bool is_other)
{
    const struct ork_order_header header = {.ranks = 1, .program = "pair"};
    struct sample s;

    begin(&s, folder, name, &header);
    begin_rank(&s, 0);
    add(&s, test(ORK_CALL_MPI_Test, NULL, 0, is_other ? 0 : 1));
    add(&s, receive(is_other ? 2 : 1, 0));
    add(&s, is_other ? lock(ORK_CHOICE_LOCK, 0, 1, 1) : receive(1, 0));
    add(&s, receive(is_other ? 2 : 1, 0));
    end_rank(&s);
    end(&s, true);
}

static void write_hostile(const char *folder)
{
    const struct ork_order_header header = {.ranks = 2, .program = "farm"};
    const uint8_t run_of_nothing[] = {5};
    struct sample s;

    begin(&s, folder, "hostile", &header);
    note(&s, ork_order_writer_add(s.writer, 1, 0, run_of_nothing, sizeof(run_of_nothing)));
    end(&s, true);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    write_farm(argv[1], "farm", 2, 0, true);
    write_farm(argv[1], "same", 2, 0, true);
    write_farm(argv[1], "other", 1, 0, true);
    write_farm(argv[1], "longer", 2, 3, true);
    write_farm(argv[1], "killed", 2, 0, false);
    write_farm(argv[1], "many", 2, 300000, true);
    write_all_kinds(argv[1]);
    write_threads(argv[1], "threads", false, 2);
    write_threads(argv[1], "swapped", true, 2);
    write_threads(argv[1], "last", true, 0);
    write_other(argv[1], "built", "farm", 1);
    write_other(argv[1], "rebuilt", "farm", 2);
    write_other(argv[1], "lu", "lu", 1);
    write_loop(argv[1], "loop", false);
    write_loop(argv[1], "loop2", true);
    write_pair(argv[1], "pair", false);
    write_pair(argv[1], "pair2", true);
    write_hostile(argv[1]);
    return 0;
}
