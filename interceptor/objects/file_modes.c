/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/file_modes.h"

enum {
    ACCESSES = ORK_AMODE_RDONLY | ORK_AMODE_RDWR | ORK_AMODE_WRONLY,
    /* What distinguishes split collective operations. */
    KINDS =
        ORK_FILE_READ | ORK_FILE_WRITE | ORK_FILE_EXPLICIT | ORK_FILE_INDIVIDUAL | ORK_FILE_SHARED,
};

enum ork_file_misuse ork_file_check_amode(unsigned amode)
{
    unsigned access = amode & ACCESSES;

    if (access == 0 || (access & (access - 1)) != 0)
        return ORK_FILE_AMODE_NOT_ONE;
    if (access == ORK_AMODE_RDONLY && (amode & (ORK_AMODE_CREATE | ORK_AMODE_EXCL)) != 0)
        return ORK_FILE_AMODE_CREATE;
    if (access == ORK_AMODE_RDWR && (amode & ORK_AMODE_SEQUENTIAL) != 0)
        return ORK_FILE_AMODE_RDWR;
    if ((amode & ORK_AMODE_EXCL) != 0 && (amode & ORK_AMODE_CREATE) == 0)
        return ORK_FILE_AMODE_EXCL;
    return ORK_FILE_RIGHT;
}

static enum ork_file_misuse check_mode(unsigned amode, unsigned uses)
{
    unsigned access = amode & ACCESSES;
    bool is_sequential = (amode & ORK_AMODE_SEQUENTIAL) != 0;

    if ((uses & ORK_FILE_END) != 0)
        return ORK_FILE_RIGHT; /* its begin call was checked */
    if ((uses & ORK_FILE_READ) != 0 && access == ORK_AMODE_WRONLY)
        return ORK_FILE_NOT_READABLE;
    if ((uses & ORK_FILE_WRITE) != 0 && access == ORK_AMODE_RDONLY)
        return ORK_FILE_NOT_WRITABLE;
    if (is_sequential &&
        (uses & (ORK_FILE_EXPLICIT | ORK_FILE_INDIVIDUAL | ORK_FILE_POSITION)) != 0)
        return ORK_FILE_IS_SEQUENTIAL;
    return is_sequential && (uses & ORK_FILE_RESIZE) != 0 ? ORK_FILE_IS_NOT_RESIZED
                                                          : ORK_FILE_RIGHT;
}

static enum ork_file_misuse check_split(const struct ork_file_state *s, unsigned uses,
                                        uint16_t thread)
{
    if (s->split == 0)
        return (uses & ORK_FILE_END) != 0 ? ORK_FILE_NOT_BEGUN : ORK_FILE_RIGHT;
    if ((uses & ORK_FILE_END) != 0) {
        if ((uses & KINDS) != (s->split & KINDS))
            return ORK_FILE_BEGUN_OTHER;
        return thread != s->begun_by ? ORK_FILE_BEGUN_BY_OTHER : ORK_FILE_RIGHT;
    }
    if ((uses & ORK_FILE_BEGIN) != 0)
        return ORK_FILE_BEGUN_TWICE;
    if ((uses & ORK_FILE_COLLECTIVE) != 0)
        return ORK_FILE_SPLIT_IS_ACTIVE;
    return (uses & ORK_FILE_ALONE) != 0 ? ORK_FILE_NOT_ENDED : ORK_FILE_RIGHT;
}

enum ork_file_misuse ork_file_check_uses(const struct ork_file_state *s, unsigned uses,
                                         uint16_t thread, struct ork_epoch_place *other)
{
    enum ork_file_misuse misuse = check_mode(s->amode, uses);

    if (misuse != ORK_FILE_RIGHT) {
        *other = s->opened;
        return misuse;
    }
    misuse = check_split(s, uses, thread);
    if (misuse != ORK_FILE_RIGHT && misuse != ORK_FILE_NOT_BEGUN)
        *other = s->begun;
    return misuse;
}

void ork_file_follow(struct ork_file_state *s, unsigned uses, uint16_t thread,
                     struct ork_epoch_place place)
{
    if ((uses & ORK_FILE_END) != 0) {
        s->split = 0;
    } else if ((uses & ORK_FILE_BEGIN) != 0) {
        s->split = uses;
        s->begun = place;
        s->begun_by = thread;
    }
}
