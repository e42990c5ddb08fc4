/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/attach.h"

#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/stage/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW, NOBODY = 65534 };

/* A listener and one connection to it, seen from both ends. */
struct meeting {
    char session[64];
    int listener;
    int peer;
    int leaf;
    struct ork_hello hello; /* as it arrived */
    struct ork_ring *ring;
};

static int set_up(void **state)
{
    static struct meeting m;

    snprintf(m.session, sizeof(m.session), "%s", peer_session());
    if (ork_attach_listen(m.session, PEER_TOKEN, 0, &m.listener) != ORK_OK)
        return -1;
    m.peer = peer_connect(m.session);
    m.leaf = accept4(m.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    m.ring = NULL;
    *state = &m;
    return m.leaf < 0;
}

static int tear_down(void **state)
{
    struct meeting *m = *state;

    ork_attach_unmap(m->ring);
    close(m->listener);
    close(m->peer);
    close(m->leaf);
    return 0;
}

static enum ork_status accept_it(struct meeting *m)
{
    enum ork_status status = ork_attach_accept(m->leaf, PEER_TOKEN, &m->hello, &m->ring);

    return status == ORK_OK ? ork_attach_answer(m->leaf, -1, -1, -1) : status;
}

/* `hello` with `memory` (closed here; -1: none) is refused, and nothing is kept. */
static void assert_refused(struct meeting *m, const void *hello, size_t size, int memory)
{
    peer_say(m->peer, hello, size, &memory, memory >= 0);
    if (memory >= 0)
        close(memory);
    int before = peer_open_descriptors();
    assert_int_equal(accept_it(m), ORK_DENIED);
    assert_null(m->ring);
    assert_int_equal(peer_answer(m->peer), 0);
    assert_int_equal(peer_open_descriptors(), before);
}

static int good_memory(void)
{
    return peer_memory(sizeof(struct ork_ring), SEALS);
}

static void the_right_hello_is_taken_and_its_ring_is_shared(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(7);
    int memory = good_memory();

    peer_say(m->peer, &hello, sizeof(hello), &memory, 1);
    int before = peer_open_descriptors();
    assert_int_equal(accept_it(m), ORK_OK);
    assert_int_equal(peer_open_descriptors(), before);
    assert_int_equal(peer_answer(m->peer), 1);
    assert_int_equal(m->hello.rank, 7);
    assert_string_equal(m->hello.job, "job");
    const uint32_t pid = 4711;
    assert_int_equal(pwrite(memory, &pid, sizeof(pid), offsetof(struct ork_ring, pid)),
                     sizeof(pid));
    assert_int_equal(m->ring->pid, pid);
    close(memory);
}

static void the_process_is_the_one_that_the_kernel_names(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(0);
    int memory = good_memory();

    hello.pid = 1;
    peer_say(m->peer, &hello, sizeof(hello), &memory, 1);
    close(memory);
    assert_int_equal(accept_it(m), ORK_OK);
    assert_int_equal(m->hello.pid, getpid());
}

static void a_job_without_an_end_gets_one(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(0);
    int memory = good_memory();

    memset(hello.job, 'j', sizeof(hello.job));
    peer_say(m->peer, &hello, sizeof(hello), &memory, 1);
    close(memory);
    assert_int_equal(accept_it(m), ORK_OK);
    assert_int_equal(strlen(m->hello.job), sizeof(hello.job) - 1);
}

/* Jobs of one prterun differ only behind the name of its host. */
static void a_long_name_of_a_job_arrives_whole(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(0);
    int memory = good_memory();
    char name[200] = "prterun-";

    memset(name + strlen(name), 'h', 150);
    strcpy(name + strlen(name), "-4194304@12");
    snprintf(hello.job, sizeof(hello.job), "%s", name);
    peer_say(m->peer, &hello, sizeof(hello), &memory, 1);
    close(memory);
    assert_int_equal(accept_it(m), ORK_OK);
    assert_string_equal(m->hello.job, name);
}

static void a_token_that_differs_anywhere_is_refused(void **state)
{
    for (size_t i = 0; i < ORK_TOKEN_SIZE; i++) {
        struct ork_hello hello = peer_hello(0);
        hello.token[i] ^= 1;
        assert_refused(*state, &hello, sizeof(hello), good_memory());
        tear_down(state);
        assert_int_equal(set_up(state), 0);
    }
}

static void a_run_without_a_whole_token_takes_nobody(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(0);

    memset(hello.token, 0, sizeof(hello.token));
    peer_say(m->peer, &hello, sizeof(hello), NULL, 0);
    assert_int_equal(ork_attach_accept(m->leaf, "", &m->hello, &m->ring), ORK_DENIED);
    assert_null(m->ring);
}

static void another_magic_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);

    hello.magic++;
    assert_refused(*state, &hello, sizeof(hello), good_memory());
}

static void a_hello_that_is_too_short_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);

    assert_refused(*state, &hello, sizeof(hello) - 1, good_memory());
}

static void a_hello_in_two_parts_is_refused(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(0);

    assert_refused(m, &hello, 40, good_memory());
    peer_say(m->peer, (const char *)&hello + 40, sizeof(hello) - 40, NULL, 0);
    assert_int_equal(accept_it(m), ORK_DENIED);
}

static void a_hello_without_a_descriptor_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);

    assert_refused(*state, &hello, sizeof(hello), -1);
}

static void an_ordinary_file_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);
    char path[] = "/tmp/orknot-unit-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    unlink(path);
    assert_int_equal(ftruncate(fd, sizeof(struct ork_ring)), 0);
    assert_refused(*state, &hello, sizeof(hello), fd);
}

static void a_socket_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);

    assert_refused(*state, &hello, sizeof(hello), socket(AF_UNIX, SOCK_STREAM, 0));
}

static void memory_that_can_still_shrink_or_grow_is_refused(void **state)
{
    const int seals[] = {0, F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE | F_SEAL_SHRINK};

    for (size_t i = 0; i < sizeof(seals) / sizeof(*seals); i++) {
        struct ork_hello hello = peer_hello(0);
        assert_refused(*state, &hello, sizeof(hello),
                       peer_memory(sizeof(struct ork_ring), seals[i]));
        tear_down(state);
        assert_int_equal(set_up(state), 0);
    }
}

static void memory_that_cannot_be_written_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);

    assert_refused(*state, &hello, sizeof(hello),
                   peer_memory(sizeof(struct ork_ring), SEALS | F_SEAL_WRITE));
}

static void memory_that_is_too_small_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);

    assert_refused(*state, &hello, sizeof(hello), peer_memory(sizeof(struct ork_ring) - 1, SEALS));
}

static void memory_that_is_no_ring_is_refused(void **state)
{
    struct ork_hello hello = peer_hello(0);
    const uint32_t records = ORK_RING_RECORDS * 2;
    int memory = peer_memory(sizeof(struct ork_ring), SEALS);

    assert_int_equal(pwrite(memory, &records, sizeof(records), offsetof(struct ork_ring, records)),
                     sizeof(records));
    assert_refused(*state, &hello, sizeof(hello), memory);
    tear_down(state);
    assert_int_equal(set_up(state), 0);
    memory = memfd_create("orknot-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(memory, sizeof(struct ork_ring)), 0);
    assert_int_equal(fcntl(memory, F_ADD_SEALS, SEALS), 0);
    assert_refused(*state, &hello, sizeof(hello), memory);
}

static void a_second_descriptor_is_not_kept(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(0);
    int two[2] = {good_memory(), good_memory()};

    peer_say(m->peer, &hello, sizeof(hello), two, 2);
    close(two[0]);
    close(two[1]);
    int before = peer_open_descriptors();
    assert_int_equal(accept_it(m), ORK_OK);
    assert_int_equal(peer_open_descriptors(), before);
}

static void silence_is_waited_for_and_a_hang_up_is_the_end(void **state)
{
    struct meeting *m = *state;

    assert_int_equal(accept_it(m), ORK_AGAIN);
    shutdown(m->peer, SHUT_RDWR);
    assert_int_equal(accept_it(m), ORK_CLOSED);
    assert_null(m->ring);
}

static void another_user_is_refused_whatever_he_knows(void **state)
{
    struct meeting *m = *state;
    struct ork_hello hello = peer_hello(0);

    if (getuid() != 0)
        skip();
    close(m->peer);
    close(m->leaf);
    assert_int_equal(seteuid(NOBODY), 0);
    m->peer = peer_connect(m->session);
    assert_int_equal(seteuid(0), 0);
    m->leaf = accept4(m->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    assert_false(ork_attach_is_ours(m->leaf));
    assert_refused(m, &hello, sizeof(hello), good_memory());
}

static void our_own_user_is_ours(void **state)
{
    const struct meeting *m = *state;

    assert_true(ork_attach_is_ours(m->leaf));
}

static void a_socket_is_not_shared_by_two_leaves(void **state)
{
    const struct meeting *m = *state;
    int fd;

    assert_int_equal(ork_attach_listen(m->session, PEER_TOKEN, 0, &fd), ORK_IO);
    assert_int_equal(ork_attach_listen(m->session, PEER_TOKEN, 1, &fd), ORK_OK);
    close(fd);
}

static void a_name_that_is_too_long_is_invalid(void **state)
{
    char name[200];
    int fd = -1;

    (void)state;
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(ork_attach_listen(name, PEER_TOKEN, 0, &fd), ORK_INVALID);
    assert_int_equal(fd, -1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_attach(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_right_hello_is_taken_and_its_ring_is_shared),
        CASE(the_process_is_the_one_that_the_kernel_names),
        CASE(a_job_without_an_end_gets_one),
        CASE(a_long_name_of_a_job_arrives_whole),
        CASE(a_token_that_differs_anywhere_is_refused),
        CASE(a_run_without_a_whole_token_takes_nobody),
        CASE(another_magic_is_refused),
        CASE(a_hello_that_is_too_short_is_refused),
        CASE(a_hello_in_two_parts_is_refused),
        CASE(a_hello_without_a_descriptor_is_refused),
        CASE(an_ordinary_file_is_refused),
        CASE(a_socket_is_refused),
        CASE(memory_that_can_still_shrink_or_grow_is_refused),
        CASE(memory_that_cannot_be_written_is_refused),
        CASE(memory_that_is_too_small_is_refused),
        CASE(memory_that_is_no_ring_is_refused),
        CASE(a_second_descriptor_is_not_kept),
        CASE(silence_is_waited_for_and_a_hang_up_is_the_end),
        CASE(another_user_is_refused_whatever_he_knows),
        CASE(our_own_user_is_ours),
        CASE(a_socket_is_not_shared_by_two_leaves),
        CASE(a_name_that_is_too_long_is_invalid),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
