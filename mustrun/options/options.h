/* SPDX-License-Identifier: BSD-3-Clause */
/* The --must: options: from files, then from the environment, then from the command line. Pure: no
 * I/O, no globals.
 */
#ifndef ORK_MUSTRUN_OPTIONS_OPTIONS_H
#define ORK_MUSTRUN_OPTIONS_OPTIONS_H

#include "common/status.h"
#include "mustrun/launcher/words.h"
#include "order/file/stop.h"

#include <stdint.h>
#include <stdio.h>

/* The options, and the keys of those whose values are lists of KEY=VALUE. */
enum ork_option {
#define ORK_OPTION(id, group, name, arg, env, fallback, help)               ORK_OPTION_##id,
#define ORK_OPTION_KEY(id, option, name, arg, old, old_env, fallback, help) ORK_OPTION_##id,
#include "mustrun/options/options.def"
    ORK_OPTION_MAX
};

/* --must:noise */
struct ork_noise_option {
    bool is_on;
    uint64_t seed;
    unsigned max_us; /* longest delay in microseconds */
};
enum { ORK_NOISE_DEFAULT_SEED = 1, ORK_NOISE_DEFAULT_US = 1000 };

/* Room for the ranks of --must:explore-bounds symmetric=RANKS. */
enum { ORK_SYMMETRIC_MAX = 1024 };

/* --must:explore */
struct ork_explore_options {
    bool is_on, resumes, replaces;
    unsigned runs;                /* 0: no limit */
    double seconds;               /* 0: no limit */
    unsigned mixing, loop, quota; /* 0: no limit */
    bool samples;
    uint64_t seed;
    char symmetric[ORK_SYMMETRIC_MAX]; /* ranks: see ork_symmetric_read(); "": none */
    unsigned jobs;
    const char *ignore;  /* regular expression; NULL: none */
    const char *compare; /* file; NULL: none */
};

/* Mark the ranks of a list like "1-7,9" in `symmetric` (one entry a rank; NULL: only check the
 * text). False: it is no such list, or a rank is not below `ranks`. */
bool ork_symmetric_read(const char *text, uint32_t ranks, bool *symmetric);

/* The values of the options. The strings are those of the command line and the environment. */
struct ork_options {
    char *const *argv;                       /* of mustrun; NULL: unknown */
    unsigned formats;                        /* ORK_VIZ_HTML, ... */
    bool annotates_github, annotates_gitlab; /* --must:annotations */
    const char *options_file;                /* --must:options; NULL: none */
    const char *output_dir;
    const char *source_root;        /* NULL: the repository of the present folder */
    unsigned errorcode;             /* 0: the application's */
    bool go_on;                     /* --must:on deadlock=continue or stop */
    bool stops;                     /* --must:on deadlock=stop */
    double hang_after;              /* seconds; 0: never */
    bool is_hang_after_given;       /* else the user is told of ten minutes without progress */
    bool unchecked_fails;           /* --must:on unchecked=fail */
    bool hang_abort;                /* --must:on hang=abort */
    const char *errors;             /* --must:errors, see report/failing.h */
    const char *baseline;           /* report; NULL: none */
    const char *on_finding;         /* command; NULL: none */
    const char *suppress;           /* NULL: none */
    const char *print_suppressions; /* file; NULL: none */
    bool nodl;
    bool poll;
    struct ork_noise_option noise;
    unsigned repeat;         /* 0: --must:repeat was not given */
    const char *sends;       /* a word of --must:sends */
    char eager[32];          /* "eager=65536": what it points to, if the user gave a unit */
    const char *collectives; /* and of --must:collectives */
    const char *probe;       /* and of --must:probe */
    unsigned queue_limit;    /* MiB */
    unsigned callers;        /* of each call */
    unsigned fanin;
    unsigned leaf_ranks;    /* 0: fanin */
    unsigned start_timeout; /* seconds; 0: the usual time */
    const char *mpiexec;
    struct ork_extras extras; /* with --must:np */
    const char *trace;        /* NULL: none */
    const char *record;       /* file of the order; NULL: MUST_Order, if the run ends badly */
    const char *replay;       /* file of the order to repeat; NULL: none */
    const char *alternatives; /* set by an exploration: file of them; NULL: none */
    struct ork_explore_options explore;
    bool deterministic;
    const char *checks;     /* --must:checks; NULL: all */
    bool check_buffers;     /* --must:check-buffers */
    bool races;             /* --must:races on */
    bool fold;              /* --must:fold on */
    const char *rma;        /* a word of --must:rma */
    bool separate;          /* --must:memory-model separate */
    const char *timestamps; /* file of the events of one-sided communication; NULL: none */
    bool divergence_abort;  /* --must:on divergence=abort */
    const char *stop_at;    /* RANK:CHOICE, see order/file/stop.h; NULL: none */
    struct ork_stop stop;   /* the same; choice 0: none */
    bool quiet;
    const char *color; /* a word of --must:color */
    bool status;
    bool verbose;
    bool info;
    bool help;
    const char *help_topic; /* a group, an option or "all"; NULL: the options of daily use */
    bool version;
};

#define ORK_OPTIONS_ERROR 512u

/* Settings of option files (option_files.h). The strings must outlive the options. */
struct ork_option_line {
    enum ork_option id;
    const char *value, *origin; /* origin: "./.orknotrc:3: sends", for a sentence */
};
struct ork_option_lines {
    struct ork_option_line *item;
    size_t count;
};

/* The file of --must:options; NULL: none. *error as below. */
enum ork_status ork_options_named_file(char *const *argv, char *const *environment,
                                       const char **path, char error[ORK_OPTIONS_ERROR]);

/* Read the options of files (`lines`; NULL: none), then of the environment, then of a command line
 * (argv without the program's own name); other words are added to `rest` in order. An option of the
 * command line that has no effect is refused. Options end at the application's name, and begin
 * again after a separator of contexts. ORK_INVALID: *error is a sentence. ORK_NOMEM. */
enum ork_status ork_options_parse(char *const *argv, char *const *environment,
                                  const struct ork_option_lines *lines, struct ork_options *options,
                                  struct ork_argv *rest, char error[ORK_OPTIONS_ERROR]);

void ork_options_usage(FILE *out);

/* Write what --must:help prints about `topic`, which is one of struct ork_options. */
void ork_options_help(FILE *out, const char *topic);

#endif
