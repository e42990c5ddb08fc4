# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of a report for docs/images/gallery: the last calls, and what only its page draws."""
import functools
import re
import subprocess

# Parts of the page that are drawings with the style sheet of the last calls.
PARTS = ("ruler", "rates")


@functools.cache
def view(mustview, form, report):
    """mustview has ended: with its exit code, and what it made."""
    return subprocess.run([mustview, "--format", form, report], capture_output=True, timeout=900, check=False)


def pictures(mustview, report, style_of):
    """What ends the name of each picture, and its bytes; `style_of` is a report with last calls."""
    found = {}
    lanes = view(mustview, "lanes-svg", report)
    if lanes.returncode == 0:
        found[".svg"] = lanes.stdout
    page = view(mustview, "html", report).stdout
    style = re.search(rb"<style>.*?</style>\n", view(mustview, "lanes-svg", style_of).stdout, re.DOTALL)[0]
    for part in PARTS:
        drawing = re.search(rb'<svg (class="lanes ' + part.encode() + rb'".*?>\n?)(.*?</svg>\n)', page, re.DOTALL)
        if drawing:
            found[f".{part}.svg"] = b'<svg xmlns="http://www.w3.org/2000/svg" ' + drawing[1] + style + drawing[2]
    return found
