/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of the schema, and what they mean in a sentence. Static storage. */
#ifndef ORK_WORDS_H
#define ORK_WORDS_H

#include "viz/report.h"

/* "error", "warning", "note". */
const char *ork_severity_word(enum ork_severity severity);
/* "manifest", ...; NULL for ORK_CLASS_NONE. */
const char *ork_class_word(enum ork_class class_);
/* "strict", "relaxed", "assumed"; NULL for ORK_BASIS_NONE. */
const char *ork_basis_word(enum ork_basis basis);
/* For a reader who sees the word for the first time; NULL for ORK_CLASS_NONE. */
const char *ork_class_meaning(enum ork_class class_);
/* "rank", "term", "hub". */
const char *ork_node_kind_word(enum ork_node_kind kind);

#endif
