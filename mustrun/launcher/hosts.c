/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/hosts.h"

#include "mustrun/launcher/env.h"
#include "mustrun/launcher/here.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_host(struct ork_argv *hosts, const char *name, size_t length)
{
    for (size_t i = 0; i < hosts->count; i++) {
        if (strlen(hosts->item[i]) == length && memcmp(hosts->item[i], name, length) == 0)
            return;
    }
    if (length > 0)
        ork_argv_addf(hosts, "%.*s", (int)length, name);
}

void ork_hosts_add_list(struct ork_argv *hosts, const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        add_host(hosts, list, strcspn(list, ":,"));
        list += length + (list[length] == ',');
    }
}

/* The length of the host's name in a word of that length: "n1", "n1:4", "fe80::1". */
static size_t name_length(const char *word, size_t length)
{
    size_t name = strcspn(word, ":");

    if (name >= length)
        return length;
    return name + 1 + strspn(word + name + 1, "0123456789") == length ? name : length;
}

void ork_hosts_add_file(struct ork_argv *hosts, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;

    while (file != NULL && getline(&line, &size, file) >= 0) {
        const char *name = line + strspn(line, " \t");
        add_host(hosts, name, name_length(name, strcspn(name, " \t\r\n#")));
    }
    free(line);
    if (file != NULL)
        fclose(file);
}

struct ork_hosts ork_hosts_count(struct ork_argv *hosts)
{
    struct ork_hosts found = {.count = (unsigned)hosts->count,
                              .is_here = hosts->count == 1 && ork_here_is_host(hosts->item[0])};

    ork_argv_release(hosts);
    return found;
}

unsigned ork_hosts_number(const char *text)
{
    unsigned long n = text != NULL ? strtoul(text, NULL, 10) : 0;

    return n <= 1u << 24 ? (unsigned)n : 0;
}

struct ork_hosts ork_hosts_allocated(char *const *environment)
{
    static const char *const files[] = {"PBS_NODEFILE", "LSB_DJOB_HOSTFILE", "PE_HOSTFILE"};
    struct ork_hosts found = {
        .count = ork_hosts_number(ork_env_get(environment, "SLURM_JOB_NUM_NODES"))};

    found.is_here = found.count == 1 && ork_here_is_allocated(environment);
    for (size_t i = 0; found.count == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
        struct ork_argv hosts = {0};
        const char *path = ork_env_get(environment, files[i]);
        if (path != NULL)
            ork_hosts_add_file(&hosts, path);
        found = ork_hosts_count(&hosts);
    }
    return found;
}
