/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/env.h"

#include "common/text.h"
#include "mustrun/launcher/executable.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define PRELOAD "LD_PRELOAD"

_Static_assert(sizeof(((struct ork_session *)0)->token) == ORK_TOKEN_SIZE + 1,
               "a terminator behind it");

enum ork_status ork_session_init(struct ork_session *session, pid_t pid)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* 32: no bias */
    static const char hex[] = "0123456789abcdef";
    uint8_t random[ORK_TOKEN_SIZE + 12];
    int n;

    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return ORK_IO;
    n = snprintf(session->name, sizeof(session->name), "%ld-", (long)pid);
    for (size_t i = 0; i < 12 && (size_t)n < sizeof(session->name) - 1; i++)
        session->name[n++] = letters[random[ORK_TOKEN_SIZE + i] & 31];
    session->name[n] = '\0';
    for (size_t i = 0; i < ORK_TOKEN_SIZE; i++)
        session->token[i] = hex[random[i] & 15];
    session->token[ORK_TOKEN_SIZE] = '\0';
    return ORK_OK;
}

bool ork_env_is(const char *entry, const char *name)
{
    size_t length = strlen(name);

    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

const char *ork_env_get(char *const *environment, const char *name)
{
    for (; *environment != NULL; environment++) {
        if (ork_env_is(*environment, name))
            return *environment + strlen(name) + 1;
    }
    return NULL;
}

/* RATIONALE: AddressSanitizer ends a program in which its library is not the first one, so a
 * sanitizer that the user preloads stays first. */
static void write_own(FILE *out, const char *own, bool sanitizers, const char *separator)
{
    while (*own != '\0') {
        size_t length = strcspn(own, ": ");
        char *entry = strndup(own, length);

        if (entry != NULL && entry[0] != '\0' && ork_is_sanitizer(entry) == sanitizers)
            fprintf(out, "%s%s%s", sanitizers ? "" : separator, entry, sanitizers ? separator : "");
        free(entry);
        own += length + (own[length] != '\0');
    }
}

char *ork_env_preload(const char *interceptor, const char *own)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    if (own != NULL)
        write_own(out, own, true, ":");
    fputs(interceptor, out);
    if (own != NULL)
        write_own(out, own, false, ":");
    return ork_text_close(&stream);
}

char *ork_env_front(const char *sanitizer, const char *interceptor, const char *own)
{
    const char *first = own != NULL && strstr(own, sanitizer) != NULL ? "" : sanitizer;
    char *text = NULL;

    if (asprintf(&text, "%s%s%s", first, first[0] != '\0' ? ":" : "", interceptor) < 0)
        return NULL;
    return text;
}

static void add_session(const struct ork_session *session, struct ork_argv *out)
{
    ork_argv_addf(out, "%s=%s", ORK_ENV_SESSION, session->name);
    ork_argv_addf(out, "%s=%s", ORK_ENV_TOKEN, session->token);
}

const char *const ork_env_ours[] = {
    ORK_ENV_SESSION, ORK_ENV_TOKEN,    ORK_ENV_POLL,   ORK_ENV_LEAVES,  ORK_ENV_NOISE,
    ORK_ENV_CHECKS,  ORK_ENV_EXPLORED, ORK_ENV_RMA,    ORK_ENV_HASHES,  ORK_ENV_FOLD,
    ORK_ENV_MODEL,   ORK_ENV_CALLERS,  ORK_ENV_STAMPS, ORK_ENV_ATOMICS, NULL,
};

static bool is_ours(const char *entry)
{
    const char *const *name = ork_env_ours;

    while (*name != NULL && !ork_env_is(entry, *name))
        name++;
    return *name != NULL;
}

/* RATIONALE: the program of a script is unknown, so its AddressSanitizer is configured to accept
 * that its library is not the first one: the interceptor replaces nothing that the sanitizer
 * replaces. The user's own value comes last and wins. */
static void add_sanitizer(char *const *environment, struct ork_argv *out)
{
    const char *own = ork_env_get(environment, ORK_ENV_SANITIZER);

    ork_argv_addf(out, "%s=verify_asan_link_order=0%s%s", ORK_ENV_SANITIZER, own != NULL ? ":" : "",
                  own != NULL ? own : "");
}

void ork_env_application(char *const *environment, const struct ork_session *session,
                         struct ork_argv *out)
{
    for (char *const *entry = environment; *entry != NULL; entry++) {
        if (!is_ours(*entry) && !ork_env_is(*entry, ORK_ENV_SANITIZER))
            ork_argv_add(out, *entry);
    }
    add_sanitizer(environment, out);
    add_session(session, out);
}

/* RATIONALE: a run of which nobody wants the order must not wait for it. */
static bool orders_atomics(const struct ork_options *options)
{
    return options->deterministic || options->record != NULL || options->replay != NULL ||
           options->alternatives != NULL;
}

void ork_env_settings(const struct ork_options *options, unsigned leaves, struct ork_argv *out)
{
    if (options->poll)
        ork_argv_add(out, ORK_ENV_POLL "=1");
    if (options->alternatives != NULL)
        ork_argv_add(out, ORK_ENV_EXPLORED "=1");
    if (orders_atomics(options))
        ork_argv_add(out, ORK_ENV_ATOMICS "=1");
    if (leaves > 1)
        ork_argv_addf(out, ORK_ENV_LEAVES "=%u", leaves);
    if (options->checks != NULL && strcmp(options->checks, "all") != 0)
        ork_argv_addf(out, ORK_ENV_CHECKS "=%s", options->checks);
    if (options->rma != NULL && strcmp(options->rma, "off") == 0)
        ork_argv_add(out, ORK_ENV_RMA "=off");
    if (!options->fold)
        ork_argv_add(out, ORK_ENV_FOLD "=off");
    if (options->separate)
        ork_argv_add(out, ORK_ENV_MODEL "=separate");
    if (options->timestamps != NULL)
        ork_argv_add(out, ORK_ENV_STAMPS "=1");
    if (options->check_buffers)
        ork_argv_add(out, ORK_ENV_HASHES "=1");
    if (options->callers > 0)
        ork_argv_addf(out, ORK_ENV_CALLERS "=%u", options->callers);
    if (options->noise.is_on)
        ork_argv_addf(out, ORK_ENV_NOISE "=%llu:%u", (unsigned long long)options->noise.seed,
                      options->noise.max_us);
}

void ork_env_tool(char *const *environment, const struct ork_session *session, const char *omit,
                  struct ork_argv *out)
{
    for (char *const *entry = environment; *entry != NULL; entry++) {
        if (!is_ours(*entry) && !ork_env_is(*entry, PRELOAD) &&
            (omit == NULL || !ork_env_is(*entry, omit)))
            ork_argv_add(out, *entry);
    }
    /* RATIONALE: with small pages, the state of thousands of ranks costs the root half of its time
     * in page walks. */
    if (ork_env_get(environment, "GLIBC_TUNABLES") == NULL)
        ork_argv_add(out, "GLIBC_TUNABLES=glibc.malloc.hugetlb=1");
    add_session(session, out);
}
