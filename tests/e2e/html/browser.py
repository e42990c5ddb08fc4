# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium, spoken to by the DevTools protocol over a pipe. Standard library only."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

CALL_SECONDS = 900


class BrowserError(Exception):
    pass


class Browser:
    """with Browser() as browser: page = browser.open(path, 1280, 900)"""

    def __init__(self):
        self.program = shutil.which("chromium") or shutil.which("chromium-browser")
        if self.program is None:
            raise BrowserError("Chromium is missing: install the Debian package chromium")
        self.number = 0
        self.buffer = b""
        self.events = []
        self.tabs = []  # (target, session) of closed pages: a new one takes half a second

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="orknot-chromium-")
        command_read, self.to = os.pipe()
        self.source, answer_write = os.pipe()
        options = ["--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                   "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + self.profile]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        # The protocol is spoken on descriptors 3 and 4, which pass_fds cannot choose.
        script = f'exec "$@" 3<&{command_read} 4>&{answer_write}'
        self.process = subprocess.Popen(["sh", "-c", script, "sh", self.program, *options], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        pass_fds=(command_read, answer_write), start_new_session=True)
        os.close(command_read)
        os.close(answer_write)
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.source)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, until):
        """The next message; None: none came before `until`."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.source], [], [], max(0, until - time.monotonic()))
            if not ready:
                return None
            part = os.read(self.source, 1 << 20)
            if not part:
                raise BrowserError("Chromium has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + CALL_SECONDS
        while (answer := self.receive(until)) is not None:
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)
        raise BrowserError(f"{method}: no answer in {CALL_SECONDS} s")

    def wait_event(self, method, session):
        until = time.monotonic() + CALL_SECONDS
        while True:
            for event in self.events:
                if event.get("method") == method and event.get("sessionId") == session:
                    return event["params"]
            message = self.receive(until)
            if message is None:
                raise BrowserError(f"no {method} in {CALL_SECONDS} s")
            self.events.append(message)

    def tab(self):
        """One that no page uses."""
        if self.tabs:
            target, session = self.tabs.pop()
            self.events = [event for event in self.events if event.get("sessionId") != session]
            return target, session
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable", session)
        return target, session

    def open(self, path, width, height, dark=False):
        return Page(self, path, width, height, dark)


class Page:
    """A file, loaded."""

    def __init__(self, browser, path, width, height, dark):
        self.browser = browser
        self.target, self.session = browser.tab()
        browser.call("Target.activateTarget", targetId=self.target)  # one behind another answers late
        self.mouse("mouseMoved", 0, 0)
        self.set_window(width, height, dark)
        self.url = "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=self.url)
        browser.wait_event("Page.loadEventFired", self.session)
        self.drawn()

    def set_window(self, width, height, dark):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.emulate("", dark)

    def resize(self, width, height, dark=False):
        """Another window for a page that is shown."""
        self.set_window(width, height, dark)
        self.drawn()

    def drawn(self):
        """The page has been told of what changed before (its size, scrolling) once the frame after next is due."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def emulate(self, media, dark):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme, still])

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settled(self, expression, wanted):
        """Its value, as soon as it is the wanted one, or a second later."""
        until = time.monotonic() + 1
        while (value := self.evaluate(expression)) != wanted and time.monotonic() < until:
            time.sleep(0.02)
        return value

    def close(self):
        self.browser.tabs.append((self.target, self.session))

    def mouse(self, kind, x, y, **params):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **params)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def drag(self, x, y, dx, dy):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        for step in range(1, 6):
            self.mouse("mouseMoved", x + dx * step / 5, y + dy * step / 5, button="left", buttons=1)
        self.mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1)

    def press(self, key, code=0, text=None):
        extra = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
            data = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def complaints(self):
        """What the console said, and what was asked of anything but the page's file."""
        said = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, params = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                said.append("exception: " + json.dumps(params["exceptionDetails"])[:400])
            elif method == "Runtime.consoleAPICalled":
                said.append("console: " + json.dumps(params["args"])[:400])
            elif method == "Log.entryAdded":
                said.append("log: " + params["entry"]["text"])
            elif method == "Network.requestWillBeSent" and params["request"]["url"].split("#")[0] != self.url:
                said.append("request: " + params["request"]["url"])
        return said
