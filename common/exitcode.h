/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit codes of mustrun and mustview, besides the application's own. Documented in mustrun.1. */
#ifndef ORK_EXITCODE_H
#define ORK_EXITCODE_H

enum ork_exitcode {
    ORK_EXIT_USAGE = 64,    /* the command line or an input file is wrong */
    ORK_EXIT_DATA = 65,     /* the file of --must:replay is damaged or no order of this version */
    ORK_EXIT_FINDINGS = 66, /* a finding of severity error (changed by --must:errorcode) */
    ORK_EXIT_UNAVAILABLE = 69, /* a component is missing or did not start */
    ORK_EXIT_INTERNAL = 70,    /* the tool itself failed; the application continued */
};

#endif
