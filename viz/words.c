/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/words.h"

const char *ork_severity_word(enum ork_severity severity)
{
    static const char *const word[] = {
        [ORK_ERROR] = "error", [ORK_WARNING] = "warning", [ORK_NOTE] = "note"};

    return word[severity];
}

const char *ork_class_word(enum ork_class class_)
{
    static const char *const word[] = {[ORK_CLASS_NONE] = NULL,
                                       [ORK_MANIFEST] = "manifest",
                                       [ORK_POTENTIAL] = "potential",
                                       [ORK_INTERLEAVING] = "interleaving",
                                       [ORK_SUSPECTED] = "suspected"};

    return word[class_];
}

const char *ork_basis_word(enum ork_basis basis)
{
    static const char *const word[] = {[ORK_BASIS_NONE] = NULL,
                                       [ORK_BASIS_STRICT] = "strict",
                                       [ORK_BASIS_RELAXED] = "relaxed",
                                       [ORK_BASIS_ASSUMED] = "assumed"};

    return word[basis];
}

const char *ork_class_meaning(enum ork_class class_)
{
    static const char *const meaning[] = {
        [ORK_CLASS_NONE] = NULL,
        [ORK_MANIFEST] = "The job hangs: no rank below can ever go on.",
        [ORK_POTENTIAL] = "This run went on only because the MPI library buffered a message or did "
                          "not synchronise a collective; another library or message size hangs.",
        [ORK_INTERLEAVING] = "A way of matching wildcard receives that MPI allows hangs.",
        [ORK_SUSPECTED] = "The ranks below poll for what, as far as is known, can never come."};

    return meaning[class_];
}

const char *ork_node_kind_word(enum ork_node_kind kind)
{
    static const char *const word[] = {
        [ORK_NODE_RANK] = "rank", [ORK_NODE_TERM] = "term", [ORK_NODE_HUB] = "hub"};

    return word[kind];
}
