/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/leaf_address.h"

#include "common/host.h"
#include "common/keyed_hash.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <setjmp.h>

#include <cmocka.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

/* The example of the authors' paper: key 00 .. 0f, text 00 .. 0e. */
static void the_keyed_hash_is_that_of_its_authors(void **state)
{
    const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    unsigned char text[15];

    (void)state;
    for (unsigned char i = 0; i < sizeof(text); i++)
        text[i] = i;
    assert_true(ork_keyed_hash(key, text, sizeof(text)) == UINT64_C(0xa129ca6149be45e5));
}

static const char *name_of(const char *session, const char *token, uint32_t number, char *name)
{
    struct sockaddr_un address;
    socklen_t size = ork_leaf_address(session, token, number, &address);

    assert_int_equal(address.sun_path[0], '\0'); /* abstract */
    assert_int_equal(size,
                     offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address.sun_path + 1));
    return strcpy(name, address.sun_path + 1);
}

static void a_rank_finds_the_address_of_its_leaf(void **state)
{
    char one[108], two[108];

    (void)state;
    assert_string_equal(name_of("77-run", TOKEN, 3, one), name_of("77-run", TOKEN, 3, two));
}

static void each_leaf_run_and_token_has_an_address_of_its_own(void **state)
{
    char own[108], other[108], token[] = TOKEN;

    (void)state;
    name_of("77-run", TOKEN, 0, own);
    assert_string_not_equal(own, name_of("77-run", TOKEN, 1, other));
    assert_string_not_equal(own, name_of("78-run", TOKEN, 0, other));
    for (size_t i = 0; i < sizeof(token) - 1; i++) {
        char digit = token[i];
        token[i] = digit == 'f' ? 'e' : 'f';
        assert_string_not_equal(own, name_of("77-run", token, 0, other));
        token[i] = digit;
    }
}

static void an_address_tells_neither_run_nor_host(void **state)
{
    char name[108];
    struct ork_host host;

    (void)state;
    ork_host_read(&host);
    name_of("77-run", TOKEN, 0, name);
    assert_null(strstr(name, "77-run"));
    if (strlen(host.name) > 2)
        assert_null(strstr(name, host.name));
}

static void a_session_that_is_too_long_has_none(void **state)
{
    struct sockaddr_un address;
    char session[42];

    (void)state;
    memset(session, 'x', sizeof(session));
    session[41] = '\0';
    assert_int_equal(ork_leaf_address(session, TOKEN, 0, &address), 0);
    session[40] = '\0';
    assert_true(ork_leaf_address(session, TOKEN, 0, &address) > 0);
}

static void hosts_differ_by_each_of_their_parts(void **state)
{
    struct ork_host own, other;

    (void)state;
    ork_host_read(&own);
    ork_host_read(&other);
    assert_true(own.name[0] != '\0' && own.boot[0] != '\0' && own.net[0] != '\0');
    assert_true(ork_host_is_same(&own, &other));
    other.name[0]++;
    assert_false(ork_host_is_same(&own, &other));
    other = own;
    other.boot[0]++;
    assert_false(ork_host_is_same(&own, &other));
    other = own;
    other.net[5]++;
    assert_false(ork_host_is_same(&own, &other));
}

int test_leaf_address(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keyed_hash_is_that_of_its_authors),
        cmocka_unit_test(a_rank_finds_the_address_of_its_leaf),
        cmocka_unit_test(each_leaf_run_and_token_has_an_address_of_its_own),
        cmocka_unit_test(an_address_tells_neither_run_nor_host),
        cmocka_unit_test(a_session_that_is_too_long_has_none),
        cmocka_unit_test(hosts_differ_by_each_of_their_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
