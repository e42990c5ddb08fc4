/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a launcher to be killed, because it does not end although its ranks have? Judges what was
 * seen at looks at it; no clock, no processes. */
#ifndef ORK_MUSTRUN_SUPERVISE_GONE_H
#define ORK_MUSTRUN_SUPERVISE_GONE_H

#include <stdbool.h>

/* Milliseconds. */
enum {
    ORK_GONE_ASLEEP = 5000,    /* of sleep at a stretch; longer on a crowded machine */
    ORK_GONE_STOPPED = 60000,  /* in any other state, at a stretch */
    ORK_GONE_REPORTED = 10000, /* after which a message says that it has not ended */
};

/* Initialised to zero. */
struct ork_gone {
    int asleep, late, stopped; /* how long it has been so, at each look */
    int seen;                  /* since the first look */
    bool had_children;
};

/* What was seen at a look. */
struct ork_gone_look {
    int ms;            /* since the look before */
    char state;        /* of the launcher: see proc(5) */
    bool has_children; /* a process that it started lives */
    bool is_read;      /* nobody keeps it from writing */
    bool is_certain;   /* the tool has seen the end of all ranks; else, only their launcher's
                        * children are known, and that all ranks of this node were among them */
};

enum ork_gone_verdict { ORK_GONE_WAIT, ORK_GONE_SAY, ORK_GONE_KILL };

/* `hangs`: of its launcher's kind, see launcher.h. `slowness`: how many times as long things take.
 * RATIONALE: Open MPI's mpirun and MPICH's hydra may hang when their ranks have ended. Neither
 * hangs while it has living children (a script whose MPI program was only a part), or while its
 * output is not read. On a busy machine it may wait for a processor, or for another process that
 * does, or it may be stopped: then it gets more time, but not without limit. Other launchers may
 * wait for tasks that are no children of theirs, so they are only killed if they are stopped, and
 * so cannot do anything. */
enum ork_gone_verdict ork_gone_judge(struct ork_gone *gone, const struct ork_gone_look *look,
                                     bool hangs, int slowness);

#endif
