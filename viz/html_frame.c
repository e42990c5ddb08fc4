/* SPDX-License-Identifier: BSD-3-Clause */
/* What surrounds every page. A Content-Security-Policy forbids every script and style except the
 * page's own. */
#include "viz/html.h"

#include "report/escape.h"

/* The generator is among the first bytes: viz/report_owner.c recognises an earlier report by it. */
void ork_html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    fputs("<meta name=\"generator\" content=\"orknot " ORKNOT_VERSION "\">\n", out);
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'%s'; script-src '%s'; base-uri 'none'; form-action 'none'\">\n",
            ork_html_style_hash, ork_html_script_hash);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    fputs(title, out);
    fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n", ork_html_style);
    fputs("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
          "<header><p class=\"brand\">Orknot " ORKNOT_VERSION "</p>\n"
          "<button id=\"theme\" type=\"button\" hidden>Theme</button></header>\n"
          "<main id=\"main\" tabindex=\"-1\">\n",
          out);
}

void ork_html_end(FILE *out)
{
    fprintf(out, "</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n<script>%s</script>\n",
            ork_html_script);
    fputs("</body>\n</html>\n", out);
}
