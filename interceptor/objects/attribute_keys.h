/* SPDX-License-Identifier: BSD-3-Clause */
/* Which attribute keys still have attributes. A key that was freed may be used until its last
 * attribute is deleted (MPI-3.1 section 6.7.2). Keys of communicators, datatypes and windows; an
 * object is named by its handle.
 *
 * Where it is not known whether an object has an attribute, the key counts as one that has: so a
 * key without attributes certainly has none. */
#ifndef ORK_ATTRIBUTE_KEYS_H
#define ORK_ATTRIBUTE_KEYS_H

#include "interceptor/objects/handles.h"

/* After a call that sets or deletes an attribute of an object; `result`: what it returned. */
void ork_attribute_set(enum ork_handle_kind kind, uint64_t object, int key, int result);
void ork_attribute_deleted(enum ork_handle_kind kind, uint64_t object, int key, int result);

/* With the recorder's lock held: */
/* A new key has this value. */
void ork_attribute_key_made(uint64_t key);
/* The object is about to be freed. RATIONALE: its attributes are still there while the library
 * calls the functions that delete them, and another thread may then get the same handle for a new
 * object. */
void ork_attributes_before_free(enum ork_handle_kind kind, uint64_t object);
/* It is freed. is_last: no other reference to it is left; else its attributes may remain. */
void ork_attributes_after_free(enum ork_handle_kind kind, uint64_t object, bool is_last);
/* Does the key have an attribute, or may it have one? */
bool ork_attribute_key_is_used(uint64_t key);

/* Without the lock. `object` was made as a copy of one of the same kind, by a call after which its
 * attributes can be read (is_readable) or not yet. */
void ork_attributes_copied(enum ork_handle_kind kind, uint64_t object, bool is_readable);

#endif
