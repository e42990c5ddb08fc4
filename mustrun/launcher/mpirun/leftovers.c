/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/mpirun/leftovers.h"

#include "common/output_file.h"

#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_ours(const char *path, mode_t type)
{
    struct stat s;

    return lstat(path, &s) == 0 && s.st_uid == geteuid() && (s.st_mode & S_IFMT) == type;
}

/* The first of these variables that is set, else `usual`. */
static const char *first_of(const char *const *names, const char *usual)
{
    for (; *names != NULL; names++) {
        const char *folder = getenv(*names);
        if (folder != NULL && folder[0] != '\0')
            return folder;
    }
    return usual;
}

/* The folder of Open MPI's session folders. */
static const char *session_base(void)
{
    static const char *const names[] = {"OMPI_MCA_orte_tmpdir_base", "TMPDIR", "TEMP", "TMP", NULL};

    return first_of(names, "/tmp");
}

static const char *segment_base(void)
{
    static const char *const names[] = {"OMPI_MCA_btl_vader_backing_directory", NULL};

    return first_of(names, "/dev/shm");
}

/* The number that the identifiers of all its jobs begin with. False: the folder belongs to another
 * one. */
static bool read_family(const char *folder, pid_t mpirun, uint32_t *family)
{
    char path[PATH_MAX];
    uint32_t job;
    long pid = 0;

    if (snprintf(path, sizeof(path), "%s/contact.txt", folder) >= (int)sizeof(path))
        return false;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool known = fscanf(file, "%" SCNu32 "%*[^\n] %ld", &job, &pid) == 2 && pid == (long)mpirun;
    fclose(file);
    *family = known ? job >> 16 : 0;
    return known;
}

/* vader_segment.HOST.UID.JOB.RANK, JOB in hexadecimal */
static void remove_segments(uint32_t family)
{
    char pattern[PATH_MAX];
    glob_t found;

    int n = snprintf(pattern, sizeof(pattern), "%s/vader_segment.*.%lu.%" PRIx32 "????.*",
                     segment_base(), (unsigned long)geteuid(), family);

    if (n >= (int)sizeof(pattern) || glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (is_ours(found.gl_pathv[i], S_IFREG))
            unlink(found.gl_pathv[i]);
    }
    globfree(&found);
}

/* RATIONALE: another user may have made the folder above, as a link to folders of this one. */
static void remove_session(const char *folder)
{
    char *parent = strdup(folder);
    char *slash = parent != NULL ? strrchr(parent, '/') : NULL;
    const char *why;
    int fd = -1;

    if (slash != NULL)
        *slash = '\0';
    if (slash != NULL && ork_output_folder(AT_FDCWD, parent, &fd, &why) == ORK_OK) {
        ork_output_remove(fd, slash + 1);
        close(fd);
        rmdir(parent); /* fails if there are other runs */
    }
    free(parent);
}

static void look(struct ork_leftovers *l, pid_t mpirun, bool remove)
{
    char pattern[PATH_MAX];
    glob_t found;
    int n = snprintf(pattern, sizeof(pattern), "%s/ompi.*.%lu/pid.%ld", session_base(),
                     (unsigned long)geteuid(), (long)mpirun);

    if (mpirun <= 0 || n >= (int)sizeof(pattern) || glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *folder = found.gl_pathv[i];
        if (!is_ours(folder, S_IFDIR) || !read_family(folder, mpirun, &l->family))
            continue;
        l->is_known = true;
        if (remove)
            remove_session(folder);
    }
    globfree(&found);
}

void ork_leftovers_learn(struct ork_leftovers *l, pid_t mpirun)
{
    look(l, mpirun, false);
}

void ork_leftovers_remove(struct ork_leftovers *l, pid_t mpirun)
{
    look(l, mpirun, true);
    if (l->is_known)
        remove_segments(l->family);
}

/* The folder of a session is called ompi.PID. RATIONALE: its parent is one of all users, in which
 * only the owner of a folder can replace it. */
void ork_leftovers_remove5(struct ork_leftovers *l, pid_t prterun)
{
    static const char *const names[] = {"PRTE_MCA_prte_tmpdir_base", "TMPDIR", "TEMP", "TMP", NULL};
    char name[32];
    struct stat s;
    int parent =
        prterun > 0 ? open(first_of(names, "/tmp"), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    (void)l;
    if (parent < 0)
        return;
    snprintf(name, sizeof(name), "ompi.%ld", (long)prterun);
    if (fstatat(parent, name, &s, AT_SYMLINK_NOFOLLOW) == 0 && s.st_uid == geteuid() &&
        S_ISDIR(s.st_mode))
        ork_output_remove(parent, name);
    close(parent);
}
