/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/image_layout.h"

#include <dlfcn.h>

static char core_symbol[] = "gvplugin_core_LTX_library";
static char dot_symbol[] = "gvplugin_dot_layout_LTX_library";
/* graphviz treats an entry with this name as a plugin */
static char other_symbol[] = "gvplugin_other_LTX_library";

gvplugin_library_t *ork_layout_plugin(const char *library, const char *symbol)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    return handle != NULL ? dlsym(handle, symbol) : NULL;
}

gvplugin_library_t *ork_layout_core_plugin(void)
{
    return ork_layout_plugin(ORK_CORE_PLUGIN, core_symbol);
}

static int be_silent(char *message)
{
    (void)message;
    return 0;
}

static char word_graph_dpi[] = "dpi";
static char word_nothing[] = "";

static enum ork_status lay_out(GVC_t *context, const struct ork_layout *layout, const char *dot,
                               char **data, size_t *size)
{
    enum ork_status status = ORK_INVALID;
    unsigned bytes = 0;
    Agraph_t *graph = agmemread(dot);

    if (graph == NULL)
        return ORK_NOMEM;
    if (layout->dpi != NULL)
        agsafeset(graph, word_graph_dpi, layout->dpi, word_nothing);
    if (gvLayout(context, graph, "dot") == 0) {
        if (gvRenderData(context, graph, layout->format, data, &bytes) == 0) {
            *size = bytes;
            status = ORK_OK;
        }
        gvFreeLayout(context, graph);
    }
    agclose(graph);
    return status;
}

static GVC_t *make_context(gvplugin_library_t *plugin)
{
    gvplugin_library_t *dot = ork_layout_plugin(ORK_DOT_PLUGIN, dot_symbol);
    gvplugin_library_t *core = ork_layout_core_plugin();
    lt_symlist_t plugins[] = {
        {dot_symbol, dot},
        {core_symbol, core},
        {plugin != NULL ? other_symbol : NULL, plugin},
        {NULL, NULL},
    };

    return dot != NULL && core != NULL ? gvContextPlugins(plugins, 0) : NULL;
}

/* RATIONALE: the plugin for cairo keeps a pointer to the name of a font, which the context owns,
 * from one drawing to the next. So there is one permanent context for all. */
static GVC_t *lasting_context(gvplugin_library_t *plugin)
{
    static GVC_t *context;

    if (context == NULL)
        context = make_context(plugin);
    return context;
}

enum ork_status ork_layout_render(const struct ork_layout *layout, const char *dot, char **data,
                                  size_t *size)
{
    bool lasting = layout->plugin != NULL;
    enum ork_status status = ORK_INVALID;

    agusererrf before = agseterrf(be_silent);
    GVC_t *context = lasting ? lasting_context(layout->plugin) : make_context(NULL);
    if (context != NULL) {
        status = lay_out(context, layout, dot, data, size);
        if (!lasting)
            gvFreeContext(context);
    }
    agseterrf(before);
    return status;
}

void ork_layout_free(char *data)
{
    gvFreeRenderData(data);
}
