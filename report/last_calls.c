/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/last_calls.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ork_last_call_is(const struct ork_last_call *call, const char *name,
                      const struct ork_where *where)
{
    const struct ork_where *own = &call->where;

    if (!ork_text_is_same(call->call, name) || own->line != where->line)
        return false;
    return own->line > 0
               ? ork_text_is_same(own->file, where->file)
               : own->offset == where->offset && ork_text_is_same(own->module, where->module);
}

/* ---- text ---- */

static void put_argument(FILE *out, const char *name, const char *value, bool *first)
{
    if (value == NULL)
        return;
    fprintf(out, "%s%s%s", *first ? "(" : ", ", name, value);
    *first = false;
}

bool ork_call_receives(const char *name)
{
    return strstr(name, "ecv") != NULL || strstr(name, "robe") != NULL;
}

bool ork_call_sends(const char *name)
{
    return strstr(name, "send") != NULL || strstr(name, "Send") != NULL;
}

bool ork_call_polls(const char *name)
{
    return strncmp(name, "MPI_Test", 8) == 0 || strcmp(name, "MPI_Iprobe") == 0 ||
           strcmp(name, "MPI_Improbe") == 0 || strcmp(name, "MPI_Request_get_status") == 0 ||
           strcmp(name, "MPI_Win_test") == 0;
}

static const char *towards(const struct ork_last_call *c)
{
    bool receives = c->source == NULL && ork_call_receives(c->call);

    return receives ? "from " : c->tag != NULL ? "to " : "target ";
}

char *ork_last_call_words(const struct ork_last_call *c)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);
    bool first = true;
    char number[32];

    if (out == NULL)
        return NULL;
    if (c->own_name != NULL)
        fprintf(out, "%s: ", c->own_name);
    fputs(c->call, out);
    put_argument(out, towards(c), c->peer, &first);
    put_argument(out, "tag ", c->tag, &first);
    put_argument(out, "from ", c->source, &first);
    put_argument(out, "tag ", c->source_tag, &first);
    put_argument(out, "root ", c->root, &first);
    put_argument(out, "", c->comm, &first);
    snprintf(number, sizeof(number), "%" PRIu64 " byte%s", c->bytes, c->bytes == 1 ? "" : "s");
    put_argument(out, "", c->has_bytes ? number : NULL, &first);
    snprintf(number, sizeof(number), "%" PRIu32 " request%s", c->requests,
             c->requests == 1 ? "" : "s");
    put_argument(out, "", c->requests > 0 ? number : NULL, &first);
    if (!first)
        fputc(')', out);
    return ork_text_close(&stream);
}

char *ork_last_call_outcome(const struct ork_last_call *c)
{
    char *text = NULL;
    int n = 0;

    if (c->decided != NULL)
        return strdup(c->decided);
    if (c->inside)
        return strdup("has not returned");
    if (c->error != 0)
        n = asprintf(&text, "failed with MPI error class %" PRIu32, c->error);
    else if (c->took != NULL)
        n = asprintf(&text, "took the message from %s", c->took);
    else
        return strdup("");
    return n < 0 ? NULL : text;
}

/* ---- JSON ---- */
