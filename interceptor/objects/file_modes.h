/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calls on a file its access mode and its split collective operation allow, MPI-3.1 chapter
 * 13. Pure: no MPI, no I/O, no threads. */
#ifndef ORK_FILE_MODES_H
#define ORK_FILE_MODES_H

#include "interceptor/objects/epochs.h"

/* Access modes, section 13.2.1. */
enum {
#define ORK_AMODE(name, bit) ORK_AMODE_##name = 1 << (bit),
#include "record/amodes.def"
#undef ORK_AMODE
};

/* What a call does with the file. */
enum {
    ORK_FILE_READ = 1 << 0,
    ORK_FILE_WRITE = 1 << 1,
    ORK_FILE_EXPLICIT = 1 << 2,   /* at an offset, */
    ORK_FILE_INDIVIDUAL = 1 << 3, /* with the individual file pointer, or its position, */
    ORK_FILE_SHARED = 1 << 4,     /* with the shared file pointer */
    ORK_FILE_POSITION = 1 << 5,   /* reads or sets the position of a file pointer */
    ORK_FILE_RESIZE = 1 << 6,
    ORK_FILE_COLLECTIVE = 1 << 7, /* a collective data access */
    ORK_FILE_BEGIN = 1 << 8,      /* a split one */
    ORK_FILE_END = 1 << 9,
    ORK_FILE_ALONE = 1 << 10, /* not while a split collective operation is active */
};

/* All but `amode` and `opened` are 0 when the file is opened. */
struct ork_file_state {
    unsigned amode; /* ORK_AMODE_... */
    struct ork_epoch_place opened;
    unsigned
        split; /* what the call did that began the active split collective operation; 0: none */
    struct ork_epoch_place begun;
    uint16_t begun_by; /* index of its thread */
};

enum ork_file_misuse {
    ORK_FILE_RIGHT,
    ORK_FILE_AMODE_NOT_ONE,  /* not exactly one of RDONLY, RDWR and WRONLY */
    ORK_FILE_AMODE_CREATE,   /* RDONLY with CREATE or EXCL */
    ORK_FILE_AMODE_RDWR,     /* SEQUENTIAL with RDWR */
    ORK_FILE_AMODE_EXCL,     /* EXCL without CREATE */
    ORK_FILE_NOT_READABLE,   /* `other` opened the file only to write */
    ORK_FILE_NOT_WRITABLE,   /* only to read */
    ORK_FILE_IS_SEQUENTIAL,  /* only for sequential access */
    ORK_FILE_IS_NOT_RESIZED, /* likewise, and the call changes the size */
    ORK_FILE_BEGUN_TWICE,    /* the split operation of `other` is active */
    ORK_FILE_NOT_BEGUN,
    ORK_FILE_BEGUN_OTHER,     /* `other` began a split operation of another kind */
    ORK_FILE_BEGUN_BY_OTHER,  /* another thread did it */
    ORK_FILE_SPLIT_IS_ACTIVE, /* a collective data access in between */
    ORK_FILE_NOT_ENDED,       /* a call that must not be made in between */
};

/* Are the modes of a new file right? */
enum ork_file_misuse ork_file_check_amode(unsigned amode);

/* Is a call of this thread that does `uses` right? If not and another call is named, sets
 * *other. */
enum ork_file_misuse ork_file_check_uses(const struct ork_file_state *state, unsigned uses,
                                         uint16_t thread, struct ork_epoch_place *other);

/* It was made. */
void ork_file_follow(struct ork_file_state *state, unsigned uses, uint16_t thread,
                     struct ork_epoch_place place);

#endif
