/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/executable.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { SEGMENTS_MAX = 1000, DYNAMIC_MAX = 1 << 20, STRINGS_MAX = 1 << 24 };

/* An ELF file of this machine's kind while it is being read. */
struct elf {
    int fd;
    ElfW(Ehdr) head;
    ElfW(Phdr) * segment;
    size_t segments;
};

bool ork_is_sanitizer(const char *library)
{
    const char *slash = strrchr(library, '/');
    const char *name = slash != NULL ? slash + 1 : library;

    return strncmp(name, "libasan.so", 10) == 0 || strncmp(name, "libclang_rt.asan", 16) == 0;
}

static bool read_at(int fd, void *out, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, out, size, (off_t)offset) == (ssize_t)size;
}

/* A copy of a part of the file with a 0 after it; NULL: not available. */
static char *read_part(int fd, uint64_t offset, uint64_t size, uint64_t max)
{
    char *part = size > 0 && size <= max ? malloc(size + 1) : NULL;

    if (part == NULL || !read_at(fd, part, size, offset)) {
        free(part);
        return NULL;
    }
    part[size] = '\0';
    return part;
}

static bool is_elf(const ElfW(Ehdr) * head)
{
    return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0;
}

/* Is it for the same processor as mustrun itself? */
static bool is_native(const ElfW(Ehdr) * head)
{
    ElfW(Ehdr) own = {0};
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    bool known = fd >= 0 && read_at(fd, &own, sizeof(own), 0);

    if (fd >= 0)
        close(fd);
    return !known ||
           (own.e_machine == head->e_machine && own.e_ident[EI_CLASS] == head->e_ident[EI_CLASS]);
}

static const ElfW(Phdr) * find_segment(const struct elf *elf, uint32_t type)
{
    for (size_t i = 0; i < elf->segments; i++)
        if (elf->segment[i].p_type == type)
            return &elf->segment[i];
    return NULL;
}

/* The file offset of an address; false: it is not in the file. */
static bool find_offset(const struct elf *elf, uint64_t address, uint64_t *offset)
{
    for (size_t i = 0; i < elf->segments; i++) {
        const ElfW(Phdr) *s = &elf->segment[i];
        if (s->p_type == PT_LOAD && address >= s->p_vaddr && address - s->p_vaddr < s->p_filesz) {
            *offset = s->p_offset + (address - s->p_vaddr);
            return true;
        }
    }
    return false;
}

/* The strings with the names of libraries for the dynamic section; *size bytes, the caller's. */
static char *read_strings(const struct elf *elf, const ElfW(Dyn) * dynamic, size_t count,
                          uint64_t *size)
{
    uint64_t address = 0, offset;

    *size = 0;
    for (size_t i = 0; i < count && dynamic[i].d_tag != DT_NULL; i++) {
        if (dynamic[i].d_tag == DT_STRTAB)
            address = dynamic[i].d_un.d_ptr;
        else if (dynamic[i].d_tag == DT_STRSZ)
            *size = dynamic[i].d_un.d_val;
    }
    return find_offset(elf, address, &offset) ? read_part(elf->fd, offset, *size, STRINGS_MAX)
                                              : NULL;
}

/* RATIONALE: only the executable's own list counts. If a library needs the runtime, the loader
 * finds it after the interceptor whatever LD_PRELOAD contains, and also without us. */
static void find_sanitizer(const struct elf *elf, struct ork_executable *out)
{
    const ElfW(Phdr) *where = find_segment(elf, PT_DYNAMIC);
    ElfW(Dyn) *dynamic =
        where != NULL ? (void *)read_part(elf->fd, where->p_offset, where->p_filesz, DYNAMIC_MAX)
                      : NULL;
    size_t count = dynamic != NULL ? where->p_filesz / sizeof(*dynamic) : 0;
    uint64_t size = 0;
    char *strings = count > 0 ? read_strings(elf, dynamic, count, &size) : NULL;

    for (size_t i = 0; strings != NULL && i < count && dynamic[i].d_tag != DT_NULL; i++) {
        if (dynamic[i].d_tag != DT_NEEDED || dynamic[i].d_un.d_val >= size)
            continue;
        const char *name = strings + dynamic[i].d_un.d_val;
        if (ork_is_sanitizer(name) && strlen(name) < sizeof(out->sanitizer))
            memcpy(out->sanitizer, name, strlen(name) + 1);
    }
    free(strings);
    free(dynamic);
}

/* The loader preloads nothing if the program runs with other rights than its user's. */
static bool is_privileged(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return false;
    if ((st.st_mode & S_ISUID) != 0 && st.st_uid != getuid())
        return true;
    if ((st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && st.st_gid != getgid())
        return true;
    return getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

static enum ork_executable_kind kind_of_elf(struct elf *elf, struct ork_executable *out)
{
    size_t size = (size_t)elf->head.e_phnum * sizeof(*elf->segment);

    if (!is_native(&elf->head) || elf->head.e_phentsize != sizeof(*elf->segment))
        return ORK_EXECUTABLE_FOREIGN;
    elf->segment =
        (void *)read_part(elf->fd, elf->head.e_phoff, size, SEGMENTS_MAX * sizeof(*elf->segment));
    elf->segments = elf->segment != NULL ? elf->head.e_phnum : 0;
    if (find_segment(elf, PT_INTERP) == NULL)
        return ORK_EXECUTABLE_STATIC;
    find_sanitizer(elf, out);
    return is_privileged(elf->fd) ? ORK_EXECUTABLE_PRIVILEGED : ORK_EXECUTABLE_DYNAMIC;
}

static enum ork_executable_kind kind_of(const char *path, struct ork_executable *out)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return errno == EACCES ? ORK_EXECUTABLE_DENIED : ORK_EXECUTABLE_MISSING;
    if (S_ISDIR(st.st_mode))
        return ORK_EXECUTABLE_FOLDER;
    if (!S_ISREG(st.st_mode) || access(path, X_OK) != 0)
        return ORK_EXECUTABLE_DENIED;
    struct elf elf = {.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    enum ork_executable_kind kind = ORK_EXECUTABLE_DYNAMIC; /* executable, but not readable */
    if (elf.fd >= 0) {
        bool known = read_at(elf.fd, &elf.head, sizeof(elf.head), 0) && is_elf(&elf.head);
        kind = known ? kind_of_elf(&elf, out) : ORK_EXECUTABLE_SCRIPT;
        close(elf.fd);
    }
    free(elf.segment);
    return kind;
}

/* "folder/name" as the path of `out`; false: too long. */
static bool join(const char *folder, size_t length, const char *name, struct ork_executable *out)
{
    int n = snprintf(out->path, sizeof(out->path), "%.*s%s%s", (int)length, folder,
                     length > 0 ? "/" : "", name);

    return n > 0 && (size_t)n < sizeof(out->path);
}

static bool find_in_path(const char *name, const char *path, struct ork_executable *out)
{
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        struct stat st;
        if (join(path, length, name, out) && stat(out->path, &st) == 0 && S_ISREG(st.st_mode) &&
            access(out->path, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

void ork_executable_inspect(const char *name, const char *folder, const char *path,
                            struct ork_executable *out)
{
    bool absolute = name[0] == '/' || folder == NULL;

    *out = (struct ork_executable){.kind = ORK_EXECUTABLE_MISSING};
    if (strchr(name, '/') == NULL && find_in_path(name, path, out))
        out->kind = kind_of(out->path, out);
    else if (join(absolute ? "" : folder, absolute ? 0 : strlen(folder), name, out))
        out->kind = kind_of(out->path, out);
}
