/* SPDX-License-Identifier: BSD-3-Clause */
/* The mode of an UNREAD record. */
#ifndef ORK_UNREAD_H
#define ORK_UNREAD_H

enum ork_unread {
    ORK_UNREAD_ALL,  /* the tool could not read the buffer: see kinds.def */
    ORK_UNREAD_SOME, /* it compares only some bytes of this large buffer, and of others after it */
};

#endif
