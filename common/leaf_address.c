/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/leaf_address.h"

#include "common/host.h"
#include "common/keyed_hash.h"
#include "common/session.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The hash. The first byte of the address is 0. RATIONALE: no number of the user, who has another
 * one in a container of his own. */
#define FORMAT "orknot-%016llx%016llx"

/* What is hashed. Every byte is defined. */
struct place {
    struct ork_host host;
    char session[ORK_SESSION_MAX + 1];
    uint32_t number, half;
};

/* Of any character, four bits; of hexadecimal digits, their values. */
static unsigned digit(char c)
{
    return ((unsigned)c + (c > '9' ? 9 : 0)) & 15;
}

static void read_key(const char *token, uint64_t key[2])
{
    key[0] = key[1] = 0;
    for (size_t i = 0; i < ORK_TOKEN_SIZE && token[i] != '\0'; i++)
        key[i % 2] = key[i % 2] << 4 | digit(token[i]);
}

socklen_t ork_leaf_address(const char *session, const char *token, uint32_t number,
                           struct sockaddr_un *address)
{
    struct place place;
    uint64_t key[2], hash[2];

    if (strlen(session) > ORK_SESSION_MAX)
        return 0;
    memset(&place, 0, sizeof(place));
    strcpy(place.session, session);
    ork_host_read(&place.host);
    place.number = number;
    read_key(token, key);
    for (place.half = 0; place.half < 2; place.half++)
        hash[place.half] = ork_keyed_hash(key, &place, sizeof(place));
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, FORMAT,
                     (unsigned long long)hash[0], (unsigned long long)hash[1]);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}
