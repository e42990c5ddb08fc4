/* SPDX-License-Identifier: BSD-3-Clause */
/* A finding's graph as a pixel image, or for printing. */
#ifndef ORK_IMAGE_H
#define ORK_IMAGE_H

#include "report/report.h"

enum ork_image { ORK_IMAGE_PNG, ORK_IMAGE_PDF };

/* The wait-for graph as a PNG or PDF file. *data is the caller's. ORK_NOTFOUND: the finding has no
 * graph. ORK_IO: graphviz's plugin for these is missing, and *error (the caller's, or NULL) is a
 * sentence about it. */
enum ork_status ork_viz_image(const struct ork_finding *finding, enum ork_image image, char **data,
                              size_t *size, char **error);

#endif
