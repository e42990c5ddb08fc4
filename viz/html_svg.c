/* SPDX-License-Identifier: BSD-3-Clause */
/* A drawing inside the page, which a script lets the reader move and zoom. */
#include "viz/html.h"

#include <string.h>

struct copying {
    FILE *out;
    const struct ork_html_links *links;
    bool in_style, linked; /* in a style sheet; in a node with a link */
};

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static void put_line(struct copying *c, const char *line, size_t size)
{
    c->in_style = c->in_style || starts_with(line, "<style");
    if (c->in_style) { /* the page has its own */
        c->in_style = memmem(line, size, "</style>", 8) == NULL;
        return;
    }
    if (starts_with(line, "<g "))
        c->linked = c->links->put_link(c->links->of, line, size, c->out);
    fwrite(line, 1, size, c->out);
    if (c->linked && starts_with(line, "</g>")) {
        fputs("</a>\n", c->out);
        c->linked = false;
    }
}

void ork_html_put_svg(FILE *out, const char *svg, const char *name,
                      const struct ork_html_links *links)
{
    struct copying c = {.out = out, .links = links};

    fprintf(out,
            "<div class=\"view\" tabindex=\"0\" role=\"group\" aria-label=\"%s. Arrow keys move "
            "it, plus and minus zoom, 0 shows all.\">\n",
            name);
    while (*svg != '\0') {
        size_t size = strcspn(svg, "\n");
        size += svg[size] == '\n';
        put_line(&c, svg, size);
        svg += size;
    }
    fputs("</div>\n", out);
}
