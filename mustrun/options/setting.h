/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the value of an option. Private to options/. Each returns ORK_INVALID with a sentence. */
#ifndef ORK_MUSTRUN_OPTIONS_SETTING_H
#define ORK_MUSTRUN_OPTIONS_SETTING_H

#include "mustrun/options/list.h"

/* One value to be stored in the options; `origin` names its source in a sentence. An option that is
 * set by the command line, and its key, are marked in `typed` (by id; NULL: it is not from there).
 */
struct setting {
    enum ork_option id;
    const char *origin;
    const char *value;
    bool *typed;
    char *error;
};

__attribute__((format(printf, 2, 3))) enum ork_status ork_setting_refuse(char *error,
                                                                         const char *format, ...);
/* Append to the text in `list`, which has room for `size` bytes; what does not fit is left out. */
__attribute__((format(printf, 3, 4))) void ork_setting_append(char *list, size_t size,
                                                              const char *format, ...);
enum ork_status ork_setting_text(const struct setting *setting, const char **out);
/* A flag has a value only in the environment: MUST_QUIET=1. */
enum ork_status ork_setting_flag(const struct setting *setting, bool *out);
/* Seconds, with or without a unit (units.h). */
enum ork_status ork_setting_seconds(const struct setting *setting, double max, double *out);
/* The same as a whole number. */
enum ork_status ork_setting_whole_seconds(const struct setting *setting, long min, long max,
                                          unsigned *out);
enum ork_status ork_setting_unsigned(const struct setting *setting, long min, long max,
                                     unsigned *out);

/* Store a value in the options, whatever its option or key. A key keeps no pointer to it. */
enum ork_status ork_setting_apply(struct ork_options *options, const struct setting *setting);

/* One key of a list, with room for what `setting` points to. */
struct key_setting {
    struct setting setting;
    char origin[2 * ORK_OPTION_NAME_MAX];
    char value[ORK_SYMMETRIC_MAX];
};

bool ork_setting_has_keys(enum ork_option id);

/* Read the first entry of *rest, which is the value of `list` or what an earlier call left of it.
 * *rest: what is left now; NULL: nothing. */
enum ork_status ork_setting_next_key(const struct setting *list, const char **rest,
                                     struct key_setting *out);

/* What --must:help is asked for. */
enum ork_status ork_setting_help(const struct setting *setting, struct ork_options *options);

/* The options of an exploration, and whether they fit the others. */
enum ork_status ork_setting_explore(const struct setting *setting, struct ork_explore_options *out);
enum ork_status ork_setting_check_explore(const struct ork_options *options, char *error);

/* When an option or a key of those in `typed` (by id) has no effect, which the other options
 * decide: "without --must:explore"; *id: that option. NULL: each has one. */
const char *ork_setting_is_idle(const struct ork_options *options, const bool *typed,
                                enum ork_option *id);

#endif
