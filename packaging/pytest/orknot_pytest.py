# SPDX-License-Identifier: BSD-3-Clause
"""pytest --orknot: each MPI test is a run of mustrun of its own, so that a deadlock fails one test and the next one runs.

    @pytest.mark.mpi(ranks=2)
    def test_exchange(): ...        # all ranks run the function

    def test_halo(orknot):
        orknot(["./halo", "8"], ranks=4)

Both take `expect`, a list of ids of findings ("deadlock", "deadlock:potential") that the run must have; then no others may occur, and
how the ranks ended does not count. The pages "Tests with CTest and pytest" and mustrun(1) say more."""
import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest

INSIDE = "ORKNOT_PYTEST_FOLDER"  # of a rank: where it writes how its test ended
REPORT = "MUST_Output.json"


def pytest_addoption(parser):
    group = parser.getgroup("orknot", "MPI tests under Orknot")
    group.addoption("--orknot", action="store_true", help="run each MPI test under mustrun")
    group.addoption("--orknot-mustrun", metavar="PATH", help="the program mustrun (default: that of the same package, else that of PATH)")
    group.addoption("--orknot-options", metavar="WORDS", default="", help="further options of mustrun and the launcher, in one word")
    group.addoption("--orknot-output", metavar="DIR", default="orknot-reports", help="folder for the reports (default: %(default)s)")


def pytest_configure(config):
    config.addinivalue_line("markers", "mpi(ranks=2, expect=None): a test for so many ranks; --orknot runs it under mustrun")


def pytest_report_header(config):
    return f"orknot: {mustrun_of(config)}" if config.getoption("--orknot") else None


def mustrun_of(config):
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "@ORK_PYTEST_MUSTRUN@")
    for path in (config.getoption("--orknot-mustrun"), os.path.normpath(beside), shutil.which("mustrun")):
        if path is not None and os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    raise pytest.UsageError("--orknot: mustrun is not in PATH; --orknot-mustrun names it")


# ---- a run ----


class Run:
    """A finished run of mustrun, and what is wrong with it."""

    def __init__(self, folder, done):
        self.folder = folder
        self.exit_code = done.returncode
        self.output = done.stdout
        self.errors = done.stderr
        try:
            with open(os.path.join(folder, REPORT), encoding="utf-8") as file:
                self.report = json.load(file)
        except FileNotFoundError:
            self.report = None

    def text(self, findings):
        """What mustrun says of them: its standard error has each finding once."""
        path = os.path.join(self.folder, "MUST_Output.txt")
        if findings and os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
        return self.errors

    def faults(self, expect):
        """Sentences; none: the run is as it should be. Without `expect`, findings that fail the run are faults."""
        if self.report is None:
            return [f"mustrun ended with {self.exit_code} and wrote no report"]
        findings = self.report["findings"]
        if expect is None:
            faults = [f"{name_of(f)}: {f['message']}" for f in findings if f.get("fails", f["severity"] == "error")]
            if not faults and self.exit_code != 0:
                faults = [f"the exit code is {self.exit_code}"]
            return faults
        wanted = [expect] if isinstance(expect, str) else list(expect)
        faults = [f"unexpected: {name_of(f)}: {f['message']}" for f in findings
                  if f["severity"] != "note" and not {f["id"], name_of(f)} & set(wanted)]
        had = {name for f in findings for name in (f["id"], name_of(f))}
        return faults + [f"missing: {name}" for name in wanted if name not in had]


def name_of(finding):
    return f"{finding['id']}:{finding['class']}" if finding["class"] else finding["id"]


def run_mustrun(config, name, ranks, command, cwd, more=None):
    """Run it in a folder for reports of its own. RATIONALE: os.environ is the environment that pytest was started with; a test module
    that imports mpi4py has put the variables of its own MPI library into that of the process."""
    plain = "".join(c if c.isalnum() or c in "._-" else "_" for c in name)
    folder = os.path.join(os.path.abspath(config.getoption("--orknot-output")), plain)
    os.makedirs(folder, exist_ok=True)
    for left in os.listdir(folder):
        if left.startswith("rank-") or left == REPORT:
            os.unlink(os.path.join(folder, left))
    words = [mustrun_of(config), "--must:output", "html,json,text", "--must:output-dir", folder]
    words += [*shlex.split(config.getoption("--orknot-options")), "-np", str(ranks), *map(os.fspath, command)]
    environment = {**os.environ, **({INSIDE: folder} if more else {})}
    done = subprocess.run(
        words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    return Run(folder, done)


def fail(run, faults, rest=""):
    said = run.text(run.report and run.report["findings"]).rstrip()
    lines = [*faults, "", said, rest, f"report: {os.path.join(run.folder, 'MUST_Output.html')}"]
    pytest.fail("\n".join(lines), pytrace=False)


# ---- programs ----


@pytest.fixture
def orknot(request):
    """orknot(command, ranks=2, expect=None, cwd=None): run a program; returns the run, with its report, output and exit_code."""
    config = request.config
    if not config.getoption("--orknot"):
        pytest.skip("an MPI test: pytest --orknot runs it")
    count = 0

    def run(command, ranks=2, expect=None, cwd=None):
        nonlocal count
        count += 1
        name = request.node.nodeid if count == 1 else f"{request.node.nodeid}-{count}"
        done = run_mustrun(config, name, ranks, command, cwd)
        faults = done.faults(expect)
        if faults:
            fail(done, faults, done.output)
        return done

    return run


# ---- functions ----


def mark_of(item):
    """ranks and expect of an MPI test that is to run under mustrun, or None."""
    marker = item.get_closest_marker("mpi")
    if marker is None or INSIDE in os.environ or not item.config.getoption("--orknot"):
        return None
    unknown = set(marker.kwargs) - {"ranks", "expect"}
    if marker.args or unknown:
        raise pytest.UsageError(f"{item.nodeid}: the marker mpi takes ranks and expect")
    return marker.kwargs.get("ranks", 2), marker.kwargs.get("expect")


def pytest_runtest_protocol(item, nextitem):
    """RATIONALE: the fixtures of an MPI test are set up in its ranks only."""
    mark = mark_of(item)
    if mark is None:
        return None
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    call = pytest.CallInfo.from_call(lambda: run_item(item, *mark), when="call")
    hook.pytest_runtest_logreport(report=hook.pytest_runtest_makereport(item=item, call=call))
    # RATIONALE: fixtures of earlier tests that the next one does not use. The hook pytest_runtest_teardown expects a test that was set up.
    call = pytest.CallInfo.from_call(lambda: item.session._setupstate.teardown_exact(nextitem), when="teardown")
    hook.pytest_runtest_logreport(report=hook.pytest_runtest_makereport(item=item, call=call))
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def run_item(item, ranks, expect):
    config = item.config
    node = f"{item.path}::{item.nodeid.partition('::')[2]}"
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", f"--rootdir={config.rootpath}"]
    for plugin in config.known_args_namespace.plugins or []:
        command += ["-p", plugin]
    if config.inipath is not None:
        command += ["-c", str(config.inipath)]
    run = run_mustrun(config, item.nodeid, ranks, [*command, node], config.invocation_params.dir, more=True)
    ends = ends_of(run.folder)
    faults = run.faults(expect)
    failed = [] if expect is not None else [end for end in ends if end["outcome"] == "failed"]
    if faults or failed:
        texts = [f"--- rank {end['rank']}\n{end['text']}" for end in failed]
        fail(run, [*(f"rank {end['rank']} failed" for end in failed), *faults], "\n".join(texts))
    skipped = [end for end in ends if end["outcome"] == "skipped"]
    if skipped:
        pytest.skip(skipped[0]["text"])


def ends_of(folder):
    """How the test ended in each rank that got so far."""
    ends = []
    for name in sorted(os.listdir(folder)):
        if name.startswith("rank-"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                ends.append(json.load(file))
    return sorted(ends, key=lambda end: end["rank"])


# ---- in a rank ----


def rank_of_this_process():
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"):
        if name in os.environ:
            return int(os.environ[name])
    return os.getpid()


def pytest_runtest_logreport(report):
    folder = os.environ.get(INSIDE)
    if folder is None or report.outcome == "passed":
        return
    rank = rank_of_this_process()
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    with open(os.path.join(folder, f"rank-{rank}"), "w", encoding="utf-8") as file:
        json.dump({"rank": rank, "outcome": report.outcome, "when": report.when, "text": text}, file)
