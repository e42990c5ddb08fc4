/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/output.h"

#include "common/hash.h"
#include "common/output_file.h"
#include "common/text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ork_status ork_output_rules_init(struct ork_output_rules *rules, const char *ignore,
                                      const char *compare, char error[ORK_OUTPUT_ERROR])
{
    *rules = (struct ork_output_rules){.compare = compare};
    int failed = ignore != NULL ? regcomp(&rules->ignored, ignore, REG_EXTENDED | REG_NOSUB) : 0;

    if (failed != 0) {
        char why[100];
        regerror(failed, &rules->ignored, why, sizeof(why));
        snprintf(error, ORK_OUTPUT_ERROR,
                 "--must:ignore-output needs a regular expression, not \"%.100s\": %s", ignore,
                 why);
        return ORK_INVALID;
    }
    rules->ignores = ignore != NULL;
    return ORK_OK;
}

void ork_output_rules_release(struct ork_output_rules *rules)
{
    if (rules->ignores)
        regfree(&rules->ignored);
}

static uint64_t add_bytes(uint64_t hash, const char *bytes, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return ork_hash_add(ork_hash_add(hash, h), size);
}

bool ork_output_is_ignored(const struct ork_output_rules *rules, char *line, size_t size)
{
    size_t end = size > 0 && line[size - 1] == '\n' ? size - 1 : size;
    char last = line[end];

    if (!rules->ignores)
        return false;
    line[end] = '\0';
    bool found = regexec(&rules->ignored, line, 0, NULL, 0) == 0;
    line[end] = last;
    return found;
}

static enum ork_status add_file(const struct ork_output_rules *rules, const char *path,
                                uint64_t *hash)
{
    FILE *in = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t size;

    if (in == NULL)
        return ORK_IO;
    while ((size = getline(&line, &room, in)) >= 0) {
        if (rules == NULL || !ork_output_is_ignored(rules, line, (size_t)size))
            *hash = add_bytes(*hash, line, (size_t)size);
    }
    enum ork_status status = ferror(in) ? ORK_IO : ORK_OK;
    int saved = errno;
    free(line);
    fclose(in);
    errno = saved;
    return status;
}

/* nftw() has no argument for its caller. */
static struct {
    char **path;
    size_t count;
    bool failed;
} found;

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int note_file(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    if (type != FTW_F || ends_with(path + where->base, "stderr"))
        return 0;
    char **bigger = realloc(found.path, (found.count + 1) * sizeof(*bigger));
    if (bigger != NULL)
        found.path = bigger;
    char *copy = strdup(path);
    if (bigger == NULL || copy == NULL) {
        free(copy);
        found.failed = true;
        return 1;
    }
    found.path[found.count++] = copy;
    return 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum ork_status ork_output_files_list(const char *folder, struct ork_output_files *files)
{
    found.path = NULL;
    found.count = 0;
    found.failed = false;
    nftw(folder, note_file, 16, FTW_PHYS);
    if (found.count > 0)
        qsort(found.path, found.count, sizeof(*found.path), compare);
    *files = (struct ork_output_files){.path = found.path, .count = found.count};
    return found.failed ? ORK_NOMEM : ORK_OK;
}

void ork_output_files_release(struct ork_output_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->path[i]);
    free(files->path);
    *files = (struct ork_output_files){.path = NULL};
}

const char *ork_output_name(const char *path, const char *folder)
{
    const char *name = path + strlen(folder);
    size_t own = strspn(name, "/");
    const char *job = memrchr(name + own, '@', strcspn(name + own, "/"));

    return job != NULL ? job : name;
}

/* All standard outputs below the folder. RATIONALE: a rank that prints nothing may have no
 * file, so empty ones must not count. */
static enum ork_status add_folder(const struct ork_output_rules *rules, const char *folder,
                                  uint64_t *hash)
{
    struct ork_output_files files;
    enum ork_status status = ork_output_files_list(folder, &files);

    for (size_t i = 0; i < files.count && status == ORK_OK; i++) {
        uint64_t own = 0;
        status = add_file(rules, files.path[i], &own);
        if (own != 0)
            *hash = ork_hash_text(ork_hash_add(*hash, own), ork_output_name(files.path[i], folder));
    }
    ork_output_files_release(&files);
    return status;
}

enum ork_status ork_output_hash(const struct ork_output_rules *rules, const char *folder,
                                uint64_t *hash)
{
    *hash = 0;
    enum ork_status status = add_folder(rules, folder, hash);

    if (status != ORK_OK || rules->compare == NULL)
        return status;
    *hash = ork_hash_add(*hash, 1);
    status = add_file(NULL, rules->compare, hash);
    if (status == ORK_IO && errno == ENOENT) { /* a result, too */
        *hash = ork_hash_add(*hash, 2);
        status = ORK_OK;
    }
    return status;
}

static bool copy(FILE *in, FILE *out)
{
    char part[4096];
    size_t size;

    while ((size = fread(part, 1, sizeof(part), in)) > 0) {
        if (fwrite(part, 1, size, out) != size)
            return false;
    }
    return ferror(in) == 0;
}

enum ork_status ork_output_keep(const struct ork_output_rules *rules, const char *path)
{
    FILE *in = rules->compare != NULL ? fopen(rules->compare, "re") : NULL;

    if (in == NULL)
        return rules->compare == NULL || errno == ENOENT ? ORK_OK : ORK_IO;
    ork_output_remove(AT_FDCWD, path);
    FILE *out = ork_output_stream(ork_output_new(AT_FDCWD, path));
    bool done = out != NULL && copy(in, out);
    int saved = errno;
    if (out != NULL && fclose(out) != 0 && done) {
        saved = errno;
        done = false;
    }
    fclose(in);
    errno = saved;
    return done ? ORK_OK : ORK_IO;
}
