/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/options/setting.h"

#include "common/session.h"
#include "mustrun/options/units.h"
#include "record/usage.h"
#include "report/failing.h"
#include "viz/viz.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { NOISE_MAX_US = 1000000 };

#define EAGER_MAX UINT64_C(999999999999999999)

static unsigned format_of(const char *word, size_t length)
{
    static const struct {
        const char *name;
        unsigned format;
    } formats[] = {{"html", ORK_VIZ_HTML},
                   {"json", ORK_VIZ_JSON},
                   {"text", ORK_VIZ_TEXT},
                   {"sarif", ORK_VIZ_SARIF},
                   {"junit", ORK_VIZ_JUNIT}};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strlen(formats[i].name) == length && memcmp(formats[i].name, word, length) == 0)
            return formats[i].format;
    }
    return 0;
}

static enum ork_status parse_formats(const struct setting *setting, unsigned *out)
{
    unsigned formats = 0;

    for (const char *word = setting->value;;) {
        size_t length = strcspn(word, ",");
        unsigned format = format_of(word, length);

        if (format == 0)
            return ork_setting_refuse(setting->error,
                                      "%s: \"%.*s\" is not html, json, text, sarif or junit",
                                      setting->origin, (int)(length < 100 ? length : 100), word);
        formats |= format;
        if (word[length] == '\0')
            break;
        word += length + 1;
    }
    *out = formats;
    return ORK_OK;
}

/* One of two words. */
static enum ork_status parse_either(const struct setting *setting, const char *no, const char *yes,
                                    bool *out)
{
    *out = strcmp(setting->value, yes) == 0;
    if (*out || strcmp(setting->value, no) == 0)
        return ORK_OK;
    return ork_setting_refuse(setting->error, "%s: \"%.100s\" is neither %s nor %s",
                              setting->origin, setting->value, no, yes);
}

static enum ork_status parse_sends(const struct setting *setting, struct ork_options *out)
{
    const char *value = setting->value;
    uint64_t bytes;

    if (strcmp(value, "strict") == 0 || strcmp(value, "buffered") == 0) {
        out->sends = value;
        return ORK_OK;
    }
    if (strncmp(value, "eager=", 6) != 0 || !ork_unit_bytes(value + 6, 1, &bytes) ||
        bytes > EAGER_MAX)
        return ork_setting_refuse(setting->error,
                                  "%s: \"%.100s\" is not strict, buffered or eager=BYTES",
                                  setting->origin, value);
    snprintf(out->eager, sizeof(out->eager), "eager=%" PRIu64, bytes);
    out->sends = out->eager;
    return ORK_OK;
}

/* MiB */
static enum ork_status parse_queue_limit(const struct setting *setting, unsigned *out)
{
    const uint64_t mib = 1 << 20, max = 1048576;
    uint64_t bytes;

    if (!ork_unit_bytes(setting->value, mib, &bytes) || bytes < mib || bytes / mib > max)
        return ork_setting_refuse(
            setting->error, "%s: \"%.100s\" is not a number from 1 to 1048576, or a size like 2G",
            setting->origin, setting->value);
    *out = (unsigned)(bytes / mib);
    return ORK_OK;
}

/* One of the words of a list like "auto, on or off". */
static enum ork_status parse_word(const struct setting *setting, const char *list, const char **out)
{
    size_t length = strlen(setting->value);

    for (const char *word = list; *word != '\0';) {
        size_t n = strcspn(word, ", ");
        if (n == length && memcmp(word, setting->value, n) == 0) {
            *out = setting->value;
            return ORK_OK;
        }
        word += n;
        word += strncmp(word, " or ", 4) == 0 ? 4 : strspn(word, ", ");
    }
    return ork_setting_refuse(setting->error, "%s: \"%.100s\" is not %s", setting->origin,
                              setting->value, list);
}

/* "500", or with a unit: "5ms". */
static bool read_microseconds(const char *text, uint64_t *out)
{
    double seconds;

    if (ork_number_read(text, strlen(text), UINT64_MAX, out))
        return true;
    if (!ork_unit_seconds(text, &seconds) || seconds > 1e6 || strpbrk(text, "smhd") == NULL)
        return false;
    *out = (uint64_t)(seconds * 1e6 + 0.5);
    return true;
}

static enum ork_status parse_on_deadlock(const struct setting *setting, struct ork_options *out)
{
    const char *word; /* the value does not outlive this call */
    enum ork_status status = parse_word(setting, "abort, continue or stop", &word);

    if (status != ORK_OK)
        return status;
    out->stops = strcmp(word, "stop") == 0;
    out->go_on = strcmp(word, "abort") != 0;
    return ORK_OK;
}

static enum ork_status parse_noise(const struct setting *setting, struct ork_noise_option *out)
{
    const char *value = setting->value;
    size_t length = strcspn(value, ":");
    uint64_t seed = 0, max_us = ORK_NOISE_DEFAULT_US;

    if (!ork_number_read(value, length, UINT64_MAX, &seed))
        return ork_setting_refuse(setting->error,
                                  "%s: \"%.100s\" does not begin with a number from 0 to %" PRIu64,
                                  setting->origin, value, UINT64_MAX);
    if (value[length] == ':' &&
        (!read_microseconds(value + length + 1, &max_us) || max_us == 0 || max_us > NOISE_MAX_US))
        return ork_setting_refuse(setting->error,
                                  "%s: \"%.100s\" is not a number of microseconds from 1 to %d",
                                  setting->origin, value + length + 1, NOISE_MAX_US);
    *out = (struct ork_noise_option){.is_on = true, .seed = seed, .max_us = (unsigned)max_us};
    return ORK_OK;
}

static enum ork_status parse_stop(const struct setting *setting, struct ork_options *options)
{
    if (!ork_stop_read(setting->value, &options->stop))
        return ork_setting_refuse(
            setting->error,
            "%s: \"%.100s\" is not RANK:CHOICE or RANK.THREAD:CHOICE, with choices from "
            "1",
            setting->origin, setting->value);
    options->stop_at = setting->value;
    return ORK_OK;
}

static enum ork_status parse_checks(const struct setting *setting, const char **out)
{
    bool is_on[ORK_USAGE_MAX];
    const char *unknown;
    size_t length;

    if (!ork_usage_choose(setting->value, is_on, &unknown, &length))
        return ork_setting_refuse(setting->error, "%s: there is no check \"%.*s\"", setting->origin,
                                  (int)(length < 100 ? length : 100), unknown);
    *out = setting->value;
    return ORK_OK;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

static enum ork_status parse_annotations(const struct setting *setting, struct ork_options *out)
{
    out->annotates_github = has_word(setting->value, "github");
    out->annotates_gitlab = has_word(setting->value, "gitlab");
    size_t words = 1;
    for (const char *c = setting->value; *c != '\0'; c++)
        words += *c == ',';
    if (words == (size_t)out->annotates_github + (size_t)out->annotates_gitlab)
        return ORK_OK;
    return ork_setting_refuse(setting->error, "%s: \"%.100s\" is not github, gitlab or both",
                              setting->origin, setting->value);
}

static enum ork_status parse_errors(const struct setting *setting, const char **out)
{
    size_t length;
    const char *unknown = ork_failing_unknown(setting->value, &length);

    if (unknown != NULL)
        return ork_setting_refuse(setting->error,
                                  "%s: \"%.*s\" is not errors, warnings, none, not-checked or the "
                                  "id of a finding",
                                  setting->origin, (int)(length < 100 ? length : 100), unknown);
    *out = setting->value;
    return ORK_OK;
}

/* How a value is read, and which member of struct ork_options it is. */
enum value_kind { VALUE_FLAG, VALUE_TEXT, VALUE_NUMBER, VALUE_EITHER, VALUE_WORD };
struct value {
    enum ork_option id;
    enum value_kind kind;
    size_t at;
    long min, max;        /* NUMBER */
    const char *no, *yes; /* EITHER; WORD: no: the list */
};

#define AT(member) offsetof(struct ork_options, member)
#define FLAG(id, member)                                                                           \
    {                                                                                              \
        ORK_OPTION_##id, VALUE_FLAG, AT(member), 0, 0, NULL, NULL                                  \
    }
#define TEXT(id, member)                                                                           \
    {                                                                                              \
        ORK_OPTION_##id, VALUE_TEXT, AT(member), 0, 0, NULL, NULL                                  \
    }
#define NUMBER(id, member, min, max)                                                               \
    {                                                                                              \
        ORK_OPTION_##id, VALUE_NUMBER, AT(member), min, max, NULL, NULL                            \
    }
#define EITHER(id, member, no, yes)                                                                \
    {                                                                                              \
        ORK_OPTION_##id, VALUE_EITHER, AT(member), 0, 0, no, yes                                   \
    }
#define WORD(id, member, list)                                                                     \
    {                                                                                              \
        ORK_OPTION_##id, VALUE_WORD, AT(member), 0, 0, list, NULL                                  \
    }

static const struct value values[] = {
    FLAG(NODL, nodl),
    FLAG(POLL, poll),
    FLAG(DETERMINISTIC, deterministic),
    FLAG(CHECK_BUFFERS, check_buffers),
    FLAG(QUIET, quiet),
    FLAG(STATUS, status),
    FLAG(VERBOSE, verbose),
    FLAG(INFO, info),
    FLAG(VERSION, version),
    TEXT(OUTPUT_DIR, output_dir),
    TEXT(SOURCE_ROOT, source_root),
    TEXT(OPTIONS, options_file),
    TEXT(BASELINE, baseline),
    TEXT(ON_FINDING, on_finding),
    TEXT(SUPPRESS, suppress),
    TEXT(PRINT_SUPPRESSIONS, print_suppressions),
    TEXT(MPIEXEC, mpiexec),
    TEXT(NP, extras.np),
    TEXT(TRACE, trace),
    TEXT(RECORD, record),
    TEXT(REPLAY, replay),
    TEXT(TIMESTAMPS, timestamps),
    NUMBER(ERRORCODE, errorcode, 0, 255),
    NUMBER(FANIN, fanin, 2, 65536),
    NUMBER(LEAF_RANKS, leaf_ranks, 1, 65536),
    NUMBER(REPEAT, repeat, 1, 1000000),
    NUMBER(CALLERS, callers, 0, ORK_CALLERS_MAX),
    EITHER(ON_HANG, hang_abort, "report", "abort"),
    EITHER(ON_UNCHECKED, unchecked_fails, "pass", "fail"),
    EITHER(ON_DIVERGENCE, divergence_abort, "report", "abort"),
    EITHER(RACES, races, "off", "on"),
    EITHER(MEMORY_MODEL, separate, "unified", "separate"),
    EITHER(FOLD, fold, "off", "on"),
    WORD(COLLECTIVES, collectives, "strict, strictest or dataflow"),
    WORD(PROBE, probe, "off, hang, end, continuous or thorough"),
    WORD(RMA, rma, "auto, on or off"),
    WORD(COLOR, color, "auto, always or never"),
};

static enum ork_status store(struct ork_options *options, const struct setting *setting,
                             const struct value *value)
{
    void *out = (char *)options + value->at;

    switch (value->kind) {
    case VALUE_FLAG:
        return ork_setting_flag(setting, out);
    case VALUE_TEXT:
        return ork_setting_text(setting, out);
    case VALUE_NUMBER:
        return ork_setting_unsigned(setting, value->min, value->max, out);
    case VALUE_EITHER:
        return parse_either(setting, value->no, value->yes, out);
    case VALUE_WORD:
        break;
    }
    return parse_word(setting, value->no, out);
}

static enum ork_status apply(struct ork_options *options, const struct setting *setting)
{
    if (setting->typed != NULL) {
        setting->typed[setting->id] = true;
        setting->typed[ork_option_texts[setting->id].option] = true;
    }
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (values[i].id == setting->id)
            return store(options, setting, &values[i]);
    }
    switch ((unsigned)setting->id) {
    case ORK_OPTION_OUTPUT:
        return parse_formats(setting, &options->formats);
    case ORK_OPTION_ON_DEADLOCK:
        return parse_on_deadlock(setting, options);
    case ORK_OPTION_HANG_AFTER:
        options->is_hang_after_given = true;
        return ork_setting_seconds(setting, 1e6, &options->hang_after);
    case ORK_OPTION_ANNOTATIONS:
        return parse_annotations(setting, options);
    case ORK_OPTION_ERRORS:
        return parse_errors(setting, &options->errors);
    case ORK_OPTION_CHECKS:
        return parse_checks(setting, &options->checks);
    case ORK_OPTION_HELP:
        return ork_setting_help(setting, options);
    case ORK_OPTION_STOP_AT:
        return parse_stop(setting, options);
    case ORK_OPTION_SENDS:
        return parse_sends(setting, options);
    case ORK_OPTION_QUEUE_LIMIT:
        return parse_queue_limit(setting, &options->queue_limit);
    case ORK_OPTION_START_TIMEOUT:
        return ork_setting_whole_seconds(setting, 1, 3600, &options->start_timeout);
    case ORK_OPTION_NOISE:
        return parse_noise(setting, &options->noise);
    default:
        return ork_setting_explore(setting, &options->explore);
    }
}

enum ork_status ork_setting_apply(struct ork_options *options, const struct setting *setting)
{
    const char *rest = setting->value;
    enum ork_status status = ORK_OK;

    if (!ork_setting_has_keys(setting->id))
        return apply(options, setting);
    while (status == ORK_OK && rest != NULL) {
        struct key_setting key;

        status = ork_setting_next_key(setting, &rest, &key);
        if (status == ORK_OK)
            status = apply(options, &key.setting);
    }
    return status;
}
