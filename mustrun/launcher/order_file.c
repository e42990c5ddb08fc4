/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/order_file.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "common/output_file.h"
#include "common/text.h"
#include "order/file/file.h"

#include <errno.h>
#include <string.h>

bool ork_order_file_may_replace(const char *path)
{
    const char *why;
    enum ork_status status = ork_output_check(path, ORK_ORDER_MAGIC, &why);

    if (status == ORK_EXISTS)
        ork_error("cannot replace %s: %s", path,
                  why != NULL ? why : "it exists and is not an order file of orknot");
    else if (status != ORK_OK)
        ork_error("cannot write the order %s: %s", path, strerror(errno));
    return status == ORK_OK;
}

/* RATIONALE: "xterm -e gdb ./app" runs the program, too. */
static bool is_named(const struct ork_argv *program, const char *name)
{
    for (size_t i = 0; i < program->count; i++) {
        if (strcmp(ork_base_name(program->item[i]), name) == 0)
            return true;
    }
    return false;
}

static int compare(const char *path, const struct ork_order_header *header,
                   const struct ork_commands *commands)
{
    if (!is_named(&commands->program, header->program)) {
        ork_error("cannot replay %s: it is the order of another program, %s", path,
                  header->program);
        return ORK_EXIT_USAGE;
    }
    if (commands->ranks != 0 && commands->ranks != header->ranks) {
        ork_error("cannot replay %s: it is the order of %u rank%s, and this job has %u", path,
                  header->ranks, header->ranks == 1 ? "" : "s", commands->ranks);
        return ORK_EXIT_USAGE;
    }
    return 0;
}

static int check_stop(const char *path, const struct ork_order_file *file,
                      const struct ork_stop *stop)
{
    char why[ORK_ORDER_ERROR];
    enum ork_status status = stop->choice == 0 ? ORK_OK : ork_stop_find(file, stop, why);

    if (status == ORK_OK)
        return 0;
    if (status == ORK_NOTFOUND)
        ork_error("cannot stop at that choice of %s: %s", path, why);
    else
        ork_error("cannot replay %s: %s", path, ork_status_text(status));
    return status == ORK_NOTFOUND  ? ORK_EXIT_USAGE
           : status == ORK_INVALID ? ORK_EXIT_DATA
                                   : ORK_EXIT_INTERNAL;
}

int ork_order_file_check(const char *path, const struct ork_commands *commands,
                         const struct ork_stop *stop)
{
    struct ork_order_file *file;
    char error[ORK_ORDER_ERROR];
    enum ork_status status = ork_order_file_read(path, &file, error);

    if (status == ORK_OK) {
        int code = compare(path, &file->header, commands);
        if (code == 0)
            code = check_stop(path, file, stop);
        ork_order_file_destroy(file);
        return code;
    }
    ork_error("cannot replay %s: %s", path,
              status == ORK_INVALID ? error
              : status == ORK_IO    ? strerror(errno)
                                    : ork_status_text(status));
    return status == ORK_INVALID ? ORK_EXIT_DATA
           : status == ORK_IO    ? ORK_EXIT_USAGE
                                 : ORK_EXIT_INTERNAL;
}
