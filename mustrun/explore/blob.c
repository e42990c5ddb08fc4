/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/blob.h"

#include "common/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct ork_stored_blob ork_blob_map(const char *folder, const char *name)
{
    struct ork_stored_blob blob = {0};
    char *path = ork_text("%s/%s", folder, name);
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat info;

    free(path);
    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED)
            blob = (struct ork_stored_blob){bytes, (size_t)info.st_size};
    }
    if (fd >= 0)
        close(fd);
    return blob;
}

void ork_blob_unmap(struct ork_stored_blob blob)
{
    if (blob.size > 0)
        munmap((void *)(uintptr_t)blob.bytes, blob.size);
}

char *ork_blob_path(struct ork_stored_blob blob, int *fd)
{
    *fd = memfd_create("orknot-exploration", MFD_CLOEXEC);

    for (size_t done = 0; *fd >= 0 && done < blob.size;) {
        ssize_t n = write(*fd, (const char *)blob.bytes + done, blob.size - done);
        if (n <= 0 && errno != EINTR)
            return NULL;
        done += n > 0 ? (size_t)n : 0;
    }
    return *fd >= 0 ? ork_text("/proc/self/fd/%d", *fd) : NULL;
}
