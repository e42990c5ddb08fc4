/* SPDX-License-Identifier: BSD-3-Clause */
/* libgvc, with the plugins for dot's layout and for SVG that are given to it.
 * RATIONALE: a context that looks for plugins itself loads pango and fontconfig too, 40 ms instead
 * of 1 ms for a small graph; and graphviz's own measures of Helvetica do not depend on the fonts of
 * the machine. */
#ifndef ORK_IMAGE_LAYOUT_H
#define ORK_IMAGE_LAYOUT_H

#include "report/report.h"

#include <graphviz/gvc.h>

/* A plugin, which stays loaded: graphviz keeps pointers into it. NULL: it cannot be loaded. */
gvplugin_library_t *ork_layout_plugin(const char *library, const char *symbol);
/* The one for SVG, beside which the others are. */
gvplugin_library_t *ork_layout_core_plugin(void);

struct ork_layout {
    const char *format;         /* graphviz's name: "svg", "png" */
    char *dpi;                  /* only read; NULL: graphviz's own */
    gvplugin_library_t *plugin; /* besides these two, always the same; NULL: none */
};

/* The output of graphviz, which prints nothing on stderr. *data is the caller's, by
 * ork_layout_free(). ORK_NOMEM; ORK_INVALID: graphviz failed. */
enum ork_status ork_layout_render(const struct ork_layout *layout, const char *dot, char **data,
                                  size_t *size);
void ork_layout_free(char *data);

#endif
