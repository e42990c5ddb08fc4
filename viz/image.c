/* SPDX-License-Identifier: BSD-3-Clause */
/* PNG and PDF by graphviz's plugin for cairo, which is loaded only on demand. */
#include "viz/image.h"

#include "viz/drawing.h"
#include "viz/image_layout.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define PLUGIN_SYMBOL "gvplugin_pango_LTX_library"

/* Sharp on a screen; the file of a large drawing has to stay small. */
static char fine_dpi[] = "144";
static char coarse_dpi[] = "72";
#define FINE_NODES 20u

/* In the folder of the one for SVG. NULL: no memory. */
static char *plugin_path(void)
{
    Dl_info info;
    char *path = NULL;
    const gvplugin_library_t *core = ork_layout_core_plugin();
    const char *slash =
        core != NULL && dladdr(core, &info) != 0 ? strrchr(info.dli_fname, '/') : NULL;
    int folder = slash != NULL ? (int)(slash + 1 - info.dli_fname) : 0;

    return asprintf(&path, "%.*s%s", folder, folder > 0 ? info.dli_fname : "", ORK_PANGO_PLUGIN) < 0
               ? NULL
               : path;
}

static gvplugin_library_t *find_plugin(char **error)
{
    char *path = plugin_path();
    gvplugin_library_t *plugin = path != NULL ? ork_layout_plugin(path, PLUGIN_SYMBOL) : NULL;

    if (plugin == NULL && asprintf(error,
                                   "PNG and PDF need the cairo plugin of graphviz (%s), which "
                                   "cannot be loaded: install the Debian package libgvc6",
                                   ORK_PANGO_PLUGIN) < 0)
        *error = NULL;
    free(path);
    return plugin;
}

/* graphviz frees its memory itself, so copy it. */
static enum ork_status copy_data(const char *data, size_t size, char **out)
{
    *out = malloc(size + 1);
    if (*out == NULL)
        return ORK_NOMEM;
    memcpy(*out, data, size);
    (*out)[size] = '\0';
    return ORK_OK;
}

static enum ork_status render(const struct ork_layout *layout, const char *dot, char **data,
                              size_t *size)
{
    char *image = NULL;
    enum ork_status status = ork_layout_render(layout, dot, &image, size);

    if (status != ORK_OK)
        return status;
    status = copy_data(image, *size, data);
    ork_layout_free(image);
    return status;
}

static char *png_dpi(const struct ork_drawing *drawing)
{
    return drawing->num_nodes <= FINE_NODES ? fine_dpi : coarse_dpi;
}

enum ork_status ork_viz_image(const struct ork_finding *finding, enum ork_image image, char **data,
                              size_t *size, char **error)
{
    struct ork_drawing drawing;
    char *dot = NULL;

    *error = NULL;
    enum ork_status status = ork_drawing_dot(finding, &drawing, &dot);
    if (status != ORK_OK)
        return status;
    const struct ork_layout layout = {.format = image == ORK_IMAGE_PNG ? "png" : "pdf",
                                      .dpi = image == ORK_IMAGE_PNG ? png_dpi(&drawing) : NULL,
                                      .plugin = find_plugin(error)};
    status = layout.plugin != NULL ? render(&layout, dot, data, size) : ORK_IO;
    ork_drawing_release(&drawing);
    free(dot);
    return status;
}
