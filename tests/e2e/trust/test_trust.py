# SPDX-License-Identifier: BSD-3-Clause
"""What must hold whatever the application does, and whoever else is on the machine: a rank that writes over its ring, texts that
want to be markup, strangers at the socket, two runs at once, and nothing left behind.

Usage: test_trust.py MUSTRUN FOLDER-OF-PROGRAMS [CLASS]"""

import html.parser
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import leaf_address  # noqa: E402
import process  # noqa: E402

MUSTRUN, PROGRAMS = sys.argv[1:3]
LIMIT = process.FAR


def wait_until(condition, seconds=LIMIT):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def sockets():
    """The abstract addresses of this tool that every user can read."""
    with open("/proc/net/unix", encoding="utf-8", errors="replace") as file:
        return re.findall(r"@(orknot-\S+)", file.read())


def read_file(path):
    with open(path, "rb") as file:
        return file.read()


def knock(address):
    """What a socket answers to as many bytes as a rank says at first."""
    with socket.socket(socket.AF_UNIX) as other:
        other.settimeout(LIMIT)
        other.connect(address.encode())
        other.sendall(b"x" * 112)
        return other.recv(1)


class Run:
    """A run under the tool that is watched from outside."""

    def __init__(self, folder, words, env=None):
        self.name = process.new_name()
        self.out = open(os.path.join(folder, self.name + ".out"), "w+b")
        self.err = open(os.path.join(folder, self.name + ".err"), "w+b")
        environment = process.environment({process.RUN_VARIABLE: self.name, **(env or {})})
        process.show_command([MUSTRUN, *words], env)
        self.process = subprocess.Popen([MUSTRUN] + words, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                        stdout=self.out, stderr=self.err)

    def said(self, stream):
        return read_file(stream.name)

    def is_under_way(self):
        return b"under way" in self.said(self.out)

    def variables(self):
        """Environments of the run's processes: {pid: {name: value}}."""
        found = {}
        for pid in process.processes_of(self.name):
            try:
                pairs = [word.split(b"=", 1) for word in read_file(f"/proc/{pid}/environ").split(b"\0") if b"=" in word]
            except OSError:
                continue
            found[pid] = {name.decode(errors="replace"): value.decode(errors="replace") for name, value in pairs}
        return found

    def variable(self, name):
        for variables in self.variables().values():
            if name in variables:
                return variables[name]
        return None

    def session(self):
        return self.variable("ORKNOT_SESSION")

    def token(self):
        return self.variable("ORKNOT_TOKEN")

    def pid_of(self, name):
        """Of a process of the run by the name that the kernel knows; None: there is none."""
        for pid in process.processes_of(self.name):
            try:
                if read_file(f"/proc/{pid}/comm").strip() == name.encode():
                    return pid
            except OSError:
                continue  # gone
        return None

    def end(self):
        self.process.wait(LIMIT)
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            process.log("\n".join(["still running:", *process.places_of(self.name)]))
        process.clear(self.name, 0)
        self.process.wait()
        process.show(process.Outcome(self.process.returncode, self.said(self.out), self.said(self.err), []))
        self.out.close()
        self.err.close()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="orknot-test-trust-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.go = os.path.join(self.folder, "go")

    def program(self, name):
        return os.path.join(PROGRAMS, "trust_" + name)

    def words(self, ranks, *program, options=()):
        return ["--must:output", "html,json,text", *options, "--oversubscribe", "-np", str(ranks), *program]

    def run_it(self, ranks, *program, options=()):
        outcome = process.run([MUSTRUN] + self.words(ranks, *program, options=options), self.folder, limit=LIMIT)
        self.assertIsNotNone(outcome.exit_code, "mustrun did not end")
        self.assertEqual(outcome.leftovers, [])
        return outcome

    def start(self, ranks, *program, options=(), env=None):
        run = Run(self.folder, self.words(ranks, *program, options=options), env)
        self.addCleanup(run.close)
        return run

    def read(self, name, folder=None):
        return read_file(os.path.join(folder or self.folder, name))

    def start_ends(self, ranks, way, **arguments):
        """Until let_end() the program goes on."""
        return self.start(ranks, self.program("ends"), way, self.go, **arguments)

    def let_end(self):
        with open(self.go, "wb"):
            pass

    def report(self, folder=None):
        return json.loads(self.read("MUST_Output.json", folder).decode("utf-8", errors="strict"))


class Scribbles(Case):
    """The application writes over the memory that it shares with the tool."""

    plain = None  # the same for each style

    def run_plain(self):
        words = ["mpirun", "--oversubscribe", "-np", "3", self.program("scribble"), "ones"]
        Scribbles.plain = Scribbles.plain or process.run(words, self.folder, limit=LIMIT)
        self.assertEqual((self.plain.exit_code, self.plain.leftovers), (5, []), self.plain.stderr)
        return self.plain

    def check(self, style):
        plain = self.run_plain()
        outcome = self.run_it(3, self.program("scribble"), style)
        self.assertRegex(outcome.stderr, b"found [0-9]{7} bytes")
        self.assertEqual(outcome.stdout, plain.stdout)
        self.assertEqual(outcome.exit_code, 5, outcome.stderr)
        report = self.report()
        self.assertEqual(report["application"], {"exit_code": 5, "signal": None, "ended": True, "ended_by": None})
        found = {finding["id"] for finding in report["findings"]}
        self.assertLessEqual(found, {"corrupt-records"})
        for finding in report["findings"]:
            self.assertEqual((finding["severity"], finding["ranks"]), ("warning", [1]))
        return report

    def check_noticed(self, style):
        report = self.check(style)
        self.assertEqual(len(report["findings"]), 1)
        self.assertIs(report["complete"], False)

    def test_ones(self):
        self.check_noticed("ones")

    def test_zeros(self):
        self.check_noticed("zeros")

    def test_random_bytes(self):
        self.check_noticed("random")

    def test_the_header_alone(self):
        self.check_noticed("header")

    def test_slots_that_were_taken_already_may_go_unnoticed(self):
        self.check("slots")


class Page(html.parser.HTMLParser):
    """Tags, attributes and texts of a page, and whether they fit together."""

    VOID = {"meta", "link", "br", "hr", "img", "input", "col"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.texts, self.code = set(), set(), [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.texts += [value for _, value in attrs if value]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.texts += [value for _, value in attrs if value]

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            raise AssertionError(f"</{tag}> in {self.open}")

    def handle_data(self, data):
        (self.code if self.open and self.open[-1] in ("script", "style") else self.texts).append(data)


NAMES = {
    "markup": b"<script>alert(1)</script>",
    "attribute": b"\"'><img src=x onerror=alert(1)>",
    "lines": b"one\ntwo\r\nthree\ttab",
    "terminal": b"\x1b[31mred\x1b[0m\x07\x1b]0;title\x07",
    "bytes": b"\xff\xfe\xc3\x28 \xed\xa0\x80 \xf5 end",
    "graph": b"a\" -> b; } digraph { \\N \\l \\\" <b>x</b>",
    "xml": b"&lt;&amp;]]><!-- <![CDATA[ --> &#0; &x;",
    "format": b"%s%n%x${HOME}`id`$(id)\\x41\\u0041",
}


class Texts(Case):
    """Names and arguments of the application that want to be something else."""

    def run_with(self, name, *arguments):
        outcome = self.run_it(4, self.program("names"), name.hex(), *arguments)
        self.assertEqual(outcome.exit_code, 66, outcome.stderr)
        return outcome

    @staticmethod
    def control_characters(data):
        return set(re.findall(rb"[\x00-\x09\x0b-\x1f\x7f]", data))

    def check_text(self, data):
        self.assertEqual(self.control_characters(data), set())
        data.decode("utf-8", errors="strict")

    def check_page(self, plain):
        page = Page(self.read("MUST_Output.html").decode("utf-8", errors="strict"))
        expected = Page(plain)
        self.assertEqual(page.open, [])
        self.assertEqual(page.tags, expected.tags)
        self.assertEqual(page.attributes, expected.attributes)
        self.assertEqual(page.code, expected.code)
        return "".join(page.texts)

    def check_drawing(self, finding):
        dot = os.path.join(self.folder, finding["files"]["dot"])
        svg = xml.etree.ElementTree.parse(os.path.join(self.folder, finding["files"]["svg"]))
        self.assertEqual({element.tag.split("}")[1] for element in svg.iter()} & {"script", "image", "foreignObject"}, set())
        if shutil.which("dot"):
            drawn = subprocess.run(["dot", "-Tsvg", dot], capture_output=True, timeout=LIMIT, check=False)
            self.assertEqual((drawn.returncode, drawn.stderr), (0, b""))
            xml.etree.ElementTree.fromstring(drawn.stdout)
        nodes = [group for group in svg.iter() if "node" in group.get("class", "").split()]
        self.assertEqual(len(nodes), 5)  # four ranks and their communicator
        return "".join(svg.getroot().itertext())

    def plain_page(self):
        self.run_with(b"plain", "argument")
        return self.read("MUST_Output.html").decode()

    def test_names_and_arguments_are_shown_and_nothing_else(self):
        plain = self.plain_page()
        for kind, name in NAMES.items():
            with self.subTest(kind):
                argument = b"argument " + name
                outcome = self.run_with(name, argument)
                self.check_text(outcome.stderr)
                self.check_text(self.read("MUST_Output.txt"))
                shown = self.check_page(plain)
                report = self.report()
                self.assertEqual(len(report["command"]), 3)
                (finding,) = report["findings"]
                drawn = self.check_drawing(finding)
                comms = {wait["comm"] for wait in finding["waits"]}
                self.assertEqual(len(comms), 1)
                if kind == "bytes":
                    self.assertIn("\N{REPLACEMENT CHARACTER}", comms.pop())
                    continue
                self.assertEqual(comms, {name.decode()})
                self.assertEqual(report["command"][2], argument.decode())
                if not self.control_characters(name) and b"\n" not in name:
                    self.assertIn(name.decode(), drawn.replace("\N{NO-BREAK SPACE}", " "))
                    self.assertIn(name.decode(), shown)
                    self.assertIn(name, self.read("MUST_Output.txt"))

    def test_long_arguments_and_strange_paths(self):
        strange = os.path.join(self.folder, "a <b>c&d\"e'")
        os.mkdir(strange)
        program = shutil.copy(self.program("names"), os.path.join(strange, "na\nme"))
        arguments = ["x" * 10000, "<" * 10000, "\x1b" * 5000, "", " ", "--must:quiet", "-np"]
        outcome = self.run_it(2, program, b"n".hex(), *arguments)
        self.assertEqual(outcome.exit_code, 66, outcome.stderr)
        self.check_text(outcome.stderr)
        report = self.report()
        self.assertEqual(report["command"], [program, b"n".hex(), *arguments])
        self.check_text(self.read("MUST_Output.txt"))
        page = Page(self.read("MUST_Output.html").decode("utf-8", errors="strict"))
        self.assertEqual(page.open, [])
        self.assertNotIn("c&d\"e'", "".join(page.tags))


class Trespass(Case):
    """Others on the same machine, and a second run of the same user."""

    NOBODY = 65534

    def as_nobody(self, action, *arguments):
        """What `action` returns, or the name of its exception, in a process of another user."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setresgid(*[self.NOBODY] * 3)
            os.setresuid(*[self.NOBODY] * 3)
            try:
                result = repr(action(*arguments))
            except Exception as error:  # whatever it is, it is the answer
                result = type(error).__name__
            os.write(writer, result.encode())
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as file:
            result = file.read().decode()
        os.waitpid(child, 0)
        return result

    def under_way(self):
        run = self.start_ends(2, "normal")
        self.assertTrue(wait_until(run.is_under_way), run.said(run.err))
        return run

    def address_of(self, run, leaf=0):
        return leaf_address.of(run.session(), run.token(), leaf)

    def assert_undisturbed(self, run):
        self.let_end()
        self.assertEqual(run.end(), 0, run.said(run.err))
        report = self.report()
        self.assertEqual((report["verdict"], report["complete"], report["ranks"]), ("clean", True, 2))

    def test_a_wrong_token_is_refused(self):
        run = self.under_way()
        size = 8 + 32 + 256 + 4 + 4  # struct ork_hello
        hello = struct.pack("<Q32s256sII", 0x4F524B4E4F543031, b"0" * 32, b"", 0, os.getpid())
        self.assertEqual(len(hello), size)
        with socket.socket(socket.AF_UNIX) as other:
            other.settimeout(LIMIT)
            other.connect(self.address_of(run).encode())
            other.sendall(hello)
            self.assertEqual(other.recv(1), b"\0")
            self.assertEqual(other.recv(1), b"")
        self.assert_undisturbed(run)
        self.assertIn(b"does not belong to this run", run.said(run.err))

    @unittest.skipIf(os.getuid() != 0, "only root can become another user")
    def test_another_user_gets_neither_in_nor_to_know_anything(self):
        run = self.under_way()
        self.assertIn(self.as_nobody(knock, self.address_of(run)), ("b''", "BrokenPipeError", "ConnectionResetError"))
        holders = [pid for pid, variables in run.variables().items() if "ORKNOT_TOKEN" in variables]
        self.assertGreaterEqual(len(holders), 3)  # two ranks and a tool process
        for pid in holders:
            self.assertEqual(self.as_nobody(os.listdir, f"/proc/{pid}/fd"), "PermissionError")
            self.assertEqual(self.as_nobody(read_file, f"/proc/{pid}/environ"), "PermissionError")
        self.assert_undisturbed(run)

    def test_the_token_is_on_no_command_line(self):
        run = self.under_way()
        tokens = {variables["ORKNOT_TOKEN"] for variables in run.variables().values() if "ORKNOT_TOKEN" in variables}
        self.assertEqual(len(tokens), 1)
        token = tokens.pop()
        self.assertRegex(token, "^[0-9a-f]{32}$")
        for pid in process.processes_of(run.name):
            self.assertNotIn(token.encode(), read_file(f"/proc/{pid}/cmdline"))
        self.assert_undisturbed(run)

    def two_leaves(self):
        """Under way after let_end()."""
        script = f"until [ -e {self.go} ]; do sleep 0.1; done; exec {self.program('ends')} normal"
        run = self.start(2, "sh", "-c", script, options=["--must:leaf-ranks", "1"])
        self.assertTrue(wait_until(lambda: run.token() is not None), run.said(run.err))
        wanted = {self.address_of(run, leaf)[1:] for leaf in range(2)}
        self.assertTrue(wait_until(lambda: wanted <= set(sockets())), (wanted, sockets()))
        return run, wanted

    def test_the_address_of_a_leaf_tells_nothing(self):
        """Neither what that of another leaf will be, nor whose it is."""
        run, wanted = self.two_leaves()
        for address in wanted:
            self.assertRegex(address, "^orknot-[0-9a-f]{32}$")
        telling = [name for name in sockets() if run.session() in name]
        self.assertEqual([name for name in telling if not re.match("orknot-(live|direct)-", name)], [])
        self.assert_undisturbed(run)

    @unittest.skipIf(os.getuid() != 0, "only root can become another user")
    def test_another_user_at_the_address_of_a_leaf_is_passed_by(self):
        """The leaf has ended, so its address is free, and everybody has seen it."""
        run, _ = self.two_leaves()
        address = self.address_of(run, 1)
        os.kill(run.pid_of("must-tool-1"), signal.SIGKILL)
        self.assertTrue(wait_until(lambda: address[1:] not in sockets()))
        child = os.fork()
        if child == 0:
            os.setresuid(*[self.NOBODY] * 3)
            with socket.socket(socket.AF_UNIX) as taken:
                taken.bind(address.encode())
                taken.listen()
                signal.pause()
        self.addCleanup(os.waitpid, child, 0)
        self.addCleanup(os.kill, child, signal.SIGKILL)
        self.assertTrue(wait_until(lambda: address[1:] in sockets()))
        self.let_end()
        run.end()
        report = self.report()
        self.assertEqual(report["ranks"], 2)
        self.assertEqual([note for note in report["notes"] if "not observed" in note], [])
        self.assertIn("another user's process was at the address of the tool process that rank 1 was to use, so it used another one",
                      report["notes"])

    def test_two_runs_at_once_do_not_mix(self):
        folders = [os.path.join(self.folder, name) for name in ("one", "two")]
        runs = [self.start_ends(ranks, "normal", options=["--must:output-dir", folder])
                for ranks, folder in zip((2, 3), folders)]
        self.assertTrue(wait_until(lambda: all(run.is_under_way() for run in runs)), runs[0].said(runs[0].err))
        sessions = {run.session() for run in runs}
        self.assertEqual(len(sessions), 2)
        self.let_end()
        for run, ranks, folder in zip(runs, (2, 3), folders):
            self.assertEqual(run.end(), 0, run.said(run.err))
            report = self.report(folder)
            self.assertEqual((report["verdict"], report["complete"], report["ranks"]), ("clean", True, ranks))
            self.assertEqual(report["notes"], [])

    def test_two_runs_into_one_folder_leave_whole_reports(self):
        runs = [self.start_ends(ranks, "normal") for ranks in (2, 3)]
        self.assertTrue(wait_until(lambda: all(run.is_under_way() for run in runs)), runs[0].said(runs[0].err))
        self.let_end()
        for run in runs:
            self.assertEqual(run.end(), 0, run.said(run.err))
        self.assertIn(self.report()["ranks"], (2, 3))
        page = Page(self.read("MUST_Output.html").decode("utf-8", errors="strict"))
        self.assertEqual(page.open, [])
        whole = {"MUST_Output.html", "MUST_Output.json", "MUST_Output.txt"}
        self.assertEqual({name for name in os.listdir(self.folder) if name.startswith("MUST") or "tmp" in name}, whole)


class Leftovers(Case):
    """However a run ends, nothing of it stays."""

    def setUp(self):
        super().setUp()
        self.temporary = os.path.join(self.folder, "tmp")
        os.mkdir(self.temporary)

    @staticmethod
    def names_in(*folders):
        return {os.path.join(folder, name) for folder in folders for name in os.listdir(folder)}

    def run_to_its_end(self, way, stop=None):
        before = self.names_in("/tmp", "/dev/shm")
        run = self.start_ends(2, way, env={"TMPDIR": self.temporary})
        self.assertTrue(wait_until(run.is_under_way), run.said(run.err))
        session = run.session()
        self.assertIsNotNone(session)
        addresses = [leaf_address.of(session, run.token(), 0)[1:], f"orknot-live-{os.getuid()}-{session}"]
        self.assertLessEqual(set(addresses), set(sockets()))
        if stop is None:
            self.let_end()
        else:
            run.process.send_signal(stop)
        code = run.end()
        self.assertTrue(wait_until(lambda: not process.processes_of(run.name), 120), process.processes_of(run.name))
        self.assertTrue(wait_until(lambda: not set(addresses) & set(sockets()) and session not in " ".join(sockets()), 120))
        self.check_files(session, before)
        return code, run

    def check_files(self, session, before):
        """Open MPI's own folder (ompi.*) may stay when its mpirun is killed; that is its affair."""
        left = [name for name in os.listdir(self.temporary) if not name.startswith("ompi.")]
        self.assertEqual(left, [])
        new = self.names_in("/tmp", "/dev/shm") - before
        self.assertEqual([name for name in new if session in name], [])
        tests = "app|batch|chromium|configure|docs|excerpt|executable|install|launchers|live|package|report|spec|test|tree|unit"
        others = re.compile(f"/orknot-({tests})-")  # other tests at work
        self.assertEqual([name for name in new if "orknot" in name and not others.search(name)], [])

    def test_a_normal_end(self):
        self.assertEqual(self.run_to_its_end("normal")[0], 0)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_an_abort(self):
        self.assertEqual(self.run_to_its_end("abort")[0], 3)

    def test_a_crash(self):
        self.assertEqual(self.run_to_its_end("crash")[0], 128 + signal.SIGSEGV)
        (finding,) = self.report()["findings"]
        self.assertEqual((finding["id"], finding["ranks"]), ("abnormal-end", [1]))

    def test_ctrl_c(self):
        self.assertEqual(self.run_to_its_end("normal", signal.SIGINT)[0], 128 + signal.SIGINT)
        self.assertIs(self.report()["application"]["ended"], True)

    def test_sigterm(self):
        self.assertEqual(self.run_to_its_end("normal", signal.SIGTERM)[0], 128 + signal.SIGTERM)

    def test_a_killed_mustrun(self):
        self.assertEqual(self.run_to_its_end("normal", signal.SIGKILL)[0], -signal.SIGKILL)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
