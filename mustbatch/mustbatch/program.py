# SPDX-License-Identifier: BSD-3-Clause
"""The commands of mustbatch."""

import datetime
import os
import signal
import sys
import time

from mustbatch import cases, collect, errors, expectation, folders, html, junit, launcher, npb, options, progress, schedule, suite, summary


def write_summaries(made, output):
    output.summary("summary.json", summary.to_json(made))
    output.summary("summary.html", html.make(made))
    output.summary("summary.xml", junit.make(made, output.path))


def say_where(made, output, stream):
    stream.write(f"\n{summary.sentence(made)}\n{os.path.join(output.path, 'summary.html')}\n")


def exit_code(made, signo=None):
    if signo is not None:
        return 128 + signo
    return errors.ALL_AS_EXPECTED if summary.is_as_expected(made) else errors.NOT_AS_EXPECTED


class Batch:
    """A suite that is run."""

    def __init__(self, arguments, chosen, beside, version):
        self.settings = cases.Settings(
            mustrun=launcher.find_mustrun(arguments.mustrun, beside),
            mpiexec=arguments.mpiexec,
            compare=arguments.compare,
            repeat=arguments.repeat,
            time_limit=arguments.time_limit,
            extra=arguments.extra,
        )
        self.suite = chosen
        self.selected = suite.select(chosen, arguments.only).cases
        self.output = folders.Output(arguments.output or f"mustbatch-{chosen.name}", chosen.name, arguments.resume)
        self.jobs = arguments.jobs
        self.version = version
        self.results = {}
        self.started = datetime.datetime.now().astimezone()
        self.clock = time.monotonic()
        self.progress = progress.Progress(sys.stdout, len(self.selected), max(len(case.name) for case in self.selected))

    def fingerprint(self, case):
        return case.fingerprint(self.settings.how())

    def recall(self):
        """Results of cases that were done before; also of those that are not selected now."""
        for case in self.suite.cases:
            known = self.output.result(case.name, self.fingerprint(case))
            if known:
                self.results[case.name] = known
        self.resumed = len(self.results)

    def ready(self):
        """The cases that are to be run; the others are told of at once."""
        for case in self.selected:
            if case.name in self.results:
                self.progress.finish(self.results[case.name])
                continue
            reason = launcher.why_skipped(case)
            if reason is None:
                self.output.check(case.name)
                yield cases.CaseRun(case, self.settings, self.output)
            else:
                self.results[case.name] = cases.skipped(case, reason)
                self.progress.finish(self.results[case.name])

    def finished(self, run):
        if run.was_interrupted():
            return
        result = run.result()
        self.results[run.case.name] = result
        self.output.remember(run.case.name, self.fingerprint(run.case), result)
        self.progress.finish(result)

    def summary(self):
        selected = {case.name for case in self.selected}
        order = [case for case in self.suite.cases if case.name in selected or case.name in self.results]
        results = [self.results.get(case.name) or cases.skipped(case, "interrupted") | {"interrupted": True} for case in order]
        settings = {"compare": self.settings.compare, "jobs": self.jobs, "extra": self.settings.extra, "mustrun": self.settings.mustrun}
        return summary.make(self.suite, results, self.version, self.started, time.monotonic() - self.clock, settings, self.resumed)

    def run(self):
        self.recall()
        plan = schedule.Schedule(self.jobs, self.progress, self.finished)
        signo = plan.run(self.ready())
        self.progress.clear()
        made = self.summary()
        write_summaries(made, self.output)
        say_where(made, self.output, sys.stdout)
        return exit_code(made, signo)


def run(arguments, place):
    chosen = suite.read(suite.find(arguments.operand, place.suites))
    return Batch(arguments, chosen, place.mustrun, place.version).run()


def run_npb(arguments, place):
    return Batch(arguments, npb.make(arguments), place.mustrun, place.version).run()


def run_collect(arguments, place):
    entries = collect.entries_of(arguments)
    if not entries:
        raise errors.Refused(
            f"there is no {collect.FILE} below {arguments.operand}" if arguments.operand else f"{arguments.list} lists no report"
        )
    started, clock = datetime.datetime.now().astimezone(), time.monotonic()
    output = folders.Output(arguments.output or "mustbatch-collect", "collect")
    show = progress.Progress(sys.stdout, len(entries), max(len(entry.name) for entry in entries))
    results = []
    for entry in entries:
        results.append(collect.result_of(entry, output.path))
        show.finish(results[-1])
    show.clear()
    where = os.path.abspath(arguments.operand or arguments.list)
    made = summary.make(suite.Suite("collect", where, []), results, place.version, started, time.monotonic() - clock, None)
    write_summaries(made, output)
    say_where(made, output, sys.stdout)
    return exit_code(made)


def show_list(arguments, place):
    if arguments.operand is None:
        for name, path in suite.installed(place.suites).items():
            print(f"{name:12}  {suite.read(path).description}")
        return errors.ALL_AS_EXPECTED
    chosen = suite.select(suite.read(suite.find(arguments.operand, place.suites)), arguments.only)
    width = max(len(case.name) for case in chosen.cases)
    for case in chosen.cases:
        skipped = launcher.why_skipped(case)
        ranks = f"{case.ranks} {'rank ' if case.ranks == 1 else 'ranks'}"
        line = f"{case.name:{width}}  {ranks:9}  {expectation.show(case.expect)}{f'  (skipped: {skipped})' if skipped else ''}"
        print(progress.printable(line))
    return errors.ALL_AS_EXPECTED


COMMANDS = {"run": run, "npb": run_npb, "collect": run_collect, "list": show_list}


class Place:
    """Where this installation has its parts."""

    def __init__(self, mustrun, suites, version):
        self.mustrun, self.suites, self.version = mustrun, suites, version


def reset_signals():
    """What who starts mustbatch has set. Without SIGCHLD no child would leave an exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, *schedule.SIGNALS})


def main(argv, place):
    reset_signals()
    try:
        arguments = options.parse(argv, place.version)
        return COMMANDS[arguments.command](arguments, place)
    except (errors.Refused, errors.Unavailable) as error:
        print(f"mustbatch: {progress.printable(str(error))}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        print(f"mustbatch: {progress.printable(cases.describe(error))}", file=sys.stderr)
        return errors.FAILED
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
