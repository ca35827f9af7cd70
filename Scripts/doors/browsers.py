"""Drives real browsers for Scripts/doors/browsers.sh: pages, clicks, and what is in the fields.

Firefox is driven by Marionette, Chromium by the DevTools protocol over pipes. Both press the
extension's button from outside, by means that only a browser under automation has.
"""

import base64
import json
import os
import select
import socket
import ssl
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EXTENSION = "browser@swift-keychain"
TITLE = "Fill in the password from the keychain"
PATIENCE = 30


# -------------------------------------------------------------------------------------------------
# Every site of the web, behind one proxy on this machine.

STYLE = """<style>
body { font: 18px sans-serif; background: #eef2f6; margin: 0; padding: 60px; }
form { background: white; border-radius: 10px; padding: 30px; width: 420px; margin-bottom: 30px; }
label { display: block; margin: 14px 0 4px; } input { font-size: 18px; width: 94%; padding: 6px; }
button { margin-top: 20px; font-size: 18px; } h1 { font-size: 24px; } iframe { border: 1px solid; }
</style>"""
FORM = """<form action="/session" method="post"><h1>Sign in to {host}</h1>
<label>Email</label><input id="user" name="user" type="email" autocomplete="username">
<label>Password</label><input id="password" name="password" type="password"
 autocomplete="current-password" {extra}><button>Sign in</button></form>
<p id="log"></p><script>
document.addEventListener("input", (event) => log.textContent += event.target.id + " ");
</script>"""
PLAIN = """<form><input id="search"><br><input id="user" name="login">
<input id="password" type="password"></form>"""
NEW = """<form><input id="user" name="user"><input id="password" type="password">
<input id="again" type="password"></form>"""
COVERED = """<div style="position: relative">{form}<div style="position: absolute; inset: 0;
background: silver">Play the video</div></div>"""
CLOBBERED = """<form name="querySelectorAll"><input name="getAttribute"></form>
<form name="activeElement" id="keychainPage"><input name="look"></form>
<form><input name="action"><input name="elements"><input name="parentElement"><input name="matches">
<input id="user"><input id="password" type="password"></form>"""
# A page of its own for each way to paint a field so that nobody sees it.
UNSEEN = {
    "filter": "<div style='filter: opacity(1%)'>{form}</div>",
    "mask": "<div style='mask-image: linear-gradient(transparent, transparent)'>{form}</div>",
    "contrast": "<div style='filter: brightness(100) contrast(0)'>{form}</div>",
    "through": "<div style='position: relative'>{form}<div style='position: absolute; inset: 0;"
        " background: silver; pointer-events: none'>Play the video</div></div>",
    "blend": "<div style='mix-blend-mode: lighten; background: white'>{form}</div>",
    "blurred": "<div style='filter: blur(60px) opacity(20%)'>{form}</div>",
    "clip": "<div style='clip-path: circle(0)'>{form}</div>",
    "clip-below": "<div style='clip-path: inset(0 0 90% 0)'>{form}</div>",
    "scaled": "<div style='transform: scale(0.02)'>{form}</div>",
    "turned": "<div style='transform: rotateY(89deg)'>{form}</div>",
    "moved": "<div style='transform: translateX(-3000px)'>{form}</div>",
    "overflow": "<div style='overflow: hidden; height: 30px'>{form}</div>",
    "skipped": "<div style='content-visibility: hidden'>{form}</div>",
    "behind": "<div style='position: relative; z-index: -1'>{form}</div>"
        "<div style='position: fixed; inset: 0; background: silver; pointer-events: none'></div>",
    "ground": "<style>form, input, button {{ background: white; border: 0; color: white;"
        " outline: 0 }} body {{ background: white; color: white }} h1, label {{ color: white }}"
        "</style>{form}",
    "half": "<div style='opacity: 0.5'><div style='filter: opacity(30%)'>{form}</div></div>",
    "shadow": "<div id='host'></div>{form}<style>form {{ filter: opacity(2%) }}</style>",
    "attentive": "<style>.cover {{ position: fixed; inset: 0; background: silver; pointer-events:"
        " none }} body:has(input[style]) .cover {{ display: none }}</style>{form}"
        "<div class='cover'></div>",
    "slow": "<style>input {{ transition: all 60s }} form {{ filter: opacity(2%) }}</style>{form}",
}
# Styles that real pages have.
SEEN = {
    "card": "<div style='filter: drop-shadow(0 0 6px gray); transform: scale(0.9);"
        " border-radius: 20px; overflow: hidden; opacity: 0.95'>{form}</div>",
    "dark": "<style>body, form, input {{ background: #16181d; color: white;"
        " border-color: #555 }}</style>{form}",
    "flat": "<style>form {{ background: white }} input {{ border: 0; border-bottom: 2px solid"
        " #888; background: white; outline: 0; transition: all 1s }}</style>{form}",
    "below": "<div style='height: 2000px'></div>{form}<div style='height: 2000px'></div>",
    "zoomed": "<div style='zoom: 1.4'>{form}</div>",
}
# The way up from the field would miss what makes the form invisible.
DETOUR = """<div style="opacity: 0.02"><form id="hidden"><input id="user"><input id="password"
type="password"></form></div><input name="parentElement" form="hidden">"""


def page(host, path):
    form = FORM.format(host=host, extra="")

    def hidden(style):
        return FORM.format(host=host, extra=f'style="{style}"')

    pages = {
        "/login": form,
        "/plain": PLAIN,
        "/new": NEW,
        "/clobbered": CLOBBERED,
        "/detour": DETOUR,
        "/clear": form.replace('action="/session"', 'action="http://shop.example/session"'),
        "/none": hidden("display: none"),
        "/transparent": hidden("opacity: 0.01"),
        "/tiny": hidden("width: 1px; height: 1px; padding: 0; border: 0"),
        "/outside": hidden("position: absolute; left: -4000px"),
        "/clipped": hidden("clip-path: inset(100%)"),
        "/covered": COVERED.format(form=form),
        "/sandboxed": form,
        "/empty": "<p>Nothing to sign in to.</p>",
        "/frame-other": form.replace("user", "name") +
            '<iframe src="https://other.example/login" width="600" height="420"></iframe>',
        "/frame-shop": '<iframe src="https://shop.example/login" width="600" height="420"></iframe>',
    }
    for folder, styles in (("unseen", UNSEEN), ("seen", SEEN)):
        for name, style in styles.items():
            pages[f"/{folder}/{name}"] = style.format(form=form)
    return pages.get(path, pages["/empty"])


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    certificate = None

    def log_message(self, *words):
        pass

    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        try:
            self.connection = context.wrap_socket(self.connection, server_side=True)
        except (OSError, ssl.SSLError):
            self.close_connection = True
            return
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)
        self.close_connection = False

    def do_GET(self):
        path = self.path
        if "://" in path:
            path = "/" + path.split("/", 3)[3]
        body = ("<!doctype html><meta charset=utf-8><title>Test</title>" + STYLE
                + page(self.headers.get("Host", ""), path.split("?")[0])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        if path == "/sandboxed":
            self.send_header("Content-Security-Policy", "sandbox allow-scripts allow-forms")
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        try:
            super().handle()
        except (OSError, ValueError):
            pass


def serve(certificate):
    Site.certificate = certificate
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


# -------------------------------------------------------------------------------------------------
# The browsers.

class Failure(Exception):
    pass


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise Failure(f"{what} did not happen within {PATIENCE} seconds")


class Chromium:
    """Chromium, by the DevTools protocol over pipes."""

    def __init__(self, place, proxy, extension):
        self.number, self.rest, self.sessions = 0, b"", {}
        here, there = os.pipe(), os.pipe()

        def descriptors():
            os.dup2(here[0], 13), os.dup2(there[1], 14)
            os.dup2(13, 3), os.dup2(14, 4)

        self.process = subprocess.Popen(
            [self.program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--remote-debugging-pipe", "--enable-unsafe-extension-debugging",
             "--disable-dev-shm-usage", "--disable-background-networking",
             f"--user-data-dir={self.profile(place)}", f"--proxy-server=http://127.0.0.1:{proxy}",
             "--ignore-certificate-errors", "--window-size=900,700", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(f"{place}/chromium.log", "wb"))
        os.close(here[0]), os.close(there[1])
        self.input, self.output = here[1], there[0]
        self.extension = self.call("Extensions.loadUnpacked", path=extension)["id"]
        target = wait_for(lambda: self.target("page"), "a tab")
        self.page = target["targetId"]
        self.session = self.attach(self.page)

    @staticmethod
    def program():
        return "chromium"

    @staticmethod
    def profile(place):
        return f"{os.environ['HOME']}/.config/chromium"

    @staticmethod
    def version():
        return subprocess.run(["chromium", "--version"], capture_output=True,
                              text=True).stdout.split()[1]

    def target(self, kind):
        targets = self.call("Target.getTargets")["targetInfos"]
        return next((target for target in targets if target["type"] == kind), None)

    def attach(self, target):
        return self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.input, json.dumps(message).encode() + b"\0")
        while True:
            answer = json.loads(self.read())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            if not select.select([self.output], [], [], PATIENCE)[0]:
                raise Failure("Chromium does not answer")
            data = os.read(self.output, 1 << 20)
            if not data:
                raise Failure("Chromium ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return message

    def run(self, session, script, context=None):
        result = self.call("Runtime.evaluate", session, expression=script, awaitPromise=True,
                           returnByValue=True, **({"contextId": context} if context else {}))
        if "exceptionDetails" in result:
            raise Failure(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def open(self, url):
        self.call("Page.navigate", self.session, url=url)
        wait_for(lambda: self.run(self.session, "document.readyState") == "complete"
                 and self.run(self.session, "location.href") == url, url)

    def evaluate(self, script):
        return self.run(self.session, script)

    def frame_values(self):
        """The passwords in the frames of the page, each with its host."""
        values = {}
        for target in self.call("Target.getTargets")["targetInfos"]:
            if target["type"] == "iframe":
                session = self.attach(target["targetId"])
                values[target["url"]] = self.run(session, "password.value")
        return values

    def press(self):
        # A tab is not among the targets unless one asks for it.
        tabs = self.call("Target.getTargets", filter=[{"type": "tab"}])["targetInfos"]
        self.call("Extensions.triggerAction", id=self.extension, targetId=tabs[0]["targetId"])

    def shown(self):
        worker = self.target("service_worker")
        if not worker:
            return "", ""
        if worker["targetId"] not in self.sessions:
            self.sessions[worker["targetId"]] = self.attach(worker["targetId"])
        script = """(async () => {
            const [{ id }] = await chrome.tabs.query({ active: true });
            return [await chrome.action.getBadgeText({ tabId: id }),
                    await chrome.action.getTitle({ tabId: id })];
        })()"""
        return self.run(self.sessions[worker["targetId"]], script)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", self.session, format="png")["data"]
        open(path, "wb").write(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()


class Firefox:
    """Firefox, by Marionette."""

    def __init__(self, place, proxy, extension):
        profile = f"{place}/firefox"
        os.makedirs(profile, exist_ok=True)
        preferences = {
            "marionette.port": 0, "network.proxy.type": 1,
            "network.proxy.http": "127.0.0.1", "network.proxy.http_port": proxy,
            "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": proxy,
            "signon.rememberSignons": False, "dom.security.https_first": False,
            "datareporting.policy.dataSubmissionEnabled": False,
        }
        with open(f"{profile}/user.js", "w") as file:
            for name, value in preferences.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--marionette",
             "--remote-allow-system-access", "--profile", profile],
            stdin=subprocess.DEVNULL, stdout=open(f"{place}/firefox.log", "wb"),
            stderr=subprocess.STDOUT)
        active = f"{profile}/MarionetteActivePort"
        wait_for(lambda: os.path.exists(active) and open(active).read(), "Marionette's port")
        self.socket = socket.create_connection(("127.0.0.1", int(open(active).read())), PATIENCE)
        self.number = 0
        self.receive()
        self.call("WebDriver:NewSession", acceptInsecureCerts=True)
        self.call("Addon:Install", path=extension, temporary=True)

    @staticmethod
    def version():
        return subprocess.run(["firefox-esr", "--version"], capture_output=True,
                              text=True).stdout.split()[2]

    def receive(self):
        count = b""
        while not count.endswith(b":"):
            byte = self.socket.recv(1)
            if not byte:
                raise Failure("Firefox ended")
            count += byte
        data, length = b"", int(count[:-1])
        while len(data) < length:
            data += self.socket.recv(length - len(data))
        return json.loads(data)

    def call(self, method, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, method, parameters])
        self.socket.sendall(f"{len(message.encode())}:{message}".encode())
        _, _, error, result = self.receive()
        if error:
            raise Failure(f"{method}: {error['error']}: {error['message']}")
        return result

    def run(self, script, *arguments):
        return self.call("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]

    def inside(self, script, *arguments):
        """Runs a script in the browser itself."""
        self.call("Marionette:SetContext", value="chrome")
        try:
            return self.run(script, *arguments)
        finally:
            self.call("Marionette:SetContext", value="content")

    def open(self, url):
        self.call("WebDriver:Navigate", url=url)

    def evaluate(self, script):
        return self.run("return " + script)

    def frame_values(self):
        values = {}
        frames = self.call("WebDriver:FindElements", using="css selector", value="iframe")
        for frame in frames:
            self.call("WebDriver:SwitchToFrame", element=next(iter(frame.values())))
            values[self.evaluate("location.href")] = self.evaluate("password.value")
            self.call("WebDriver:SwitchToFrame")
        return values

    BUTTON = f"""const widget = "{EXTENSION}".replace(/[^a-z0-9_-]/g, "_") + "-BAP";
        const button = document.getElementById(widget); """

    def press(self):
        self.inside(self.BUTTON + "button.click();")

    def shown(self):
        return self.inside(self.BUTTON + """
            return [button.getAttribute("badge") ?? "", button.getAttribute("label") ?? ""];
        """)

    def picture(self, path):
        data = self.call("WebDriver:TakeScreenshot", full=False)["value"]
        open(path, "wb").write(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()


# -------------------------------------------------------------------------------------------------
# What is checked. The keychain has these passwords; Scripts/doors/browsers.sh stores them.

ANN = ["ann@shop.example", "correct horse"]
BOB = ["bob@shop.example", "battery staple"]
NOTHING = ["", ""]
FIELDS = "[user.value, password.value]"

# Pages, and what the person reads after a click there.
REFUSED = {
    # Other sites.
    "https://sh0p.example/login": "looks like shop.example",
    "https://shop.example.evil.example/login": "looks like shop.example",
    "https://notshop.example/login": "no internet password for this site",
    "https://xn--shp-7cd.example/login": "no internet password for this site",
    "https://shop.example:8443/login": "from port 8443",
    "http://shop.example/login": "the page came by http",
    # Fields that a person does not see.
    "https://shop.example/none": "no sign-in form that can be seen",
    "https://shop.example/transparent": "no sign-in form that can be seen",
    "https://shop.example/detour": "no sign-in form that can be seen",
    "https://shop.example/tiny": "no sign-in form that can be seen",
    "https://shop.example/outside": "covers the password field",
    "https://shop.example/clipped": "covers the password field",
    "https://shop.example/covered": "covers the password field",
    # Forms that are for something else.
    "https://shop.example/new": "no sign-in form that can be seen",
    "https://shop.example/clear": "without encryption",
    "https://shop.example/sandboxed": "does not let the extension into this page",
}


class Trial:
    def __init__(self, browser, place, picture):
        self.browser, self.place, self.picture = browser, place, picture

    def click(self):
        """Presses the button and waits for the mark and the words of the answer."""
        # The mark of the page before goes when the browser has finished with it.
        wait_for(lambda: not self.browser.shown()[0], "a button without a mark")
        self.browser.press()
        return self.answer()

    def answer(self):
        def answer():
            # Firefox shows the words a moment after the mark.
            mark, words = self.browser.shown()
            return (mark, words) if mark and words != TITLE else None

        return wait_for(answer, "an answer to the click")

    def expect(self, found, expected, words=""):
        if found != expected:
            raise Failure(f"{words}: {found!r} instead of {expected!r}")

    def fields(self):
        return self.browser.evaluate(FIELDS)

    def test_click(self):
        "fills in the fields of the form on a click, and nothing before it"
        self.browser.open("https://shop.example/login")
        time.sleep(1)
        self.expect(self.fields(), NOTHING, "before the click")
        mark, words = self.click()
        self.expect([mark, *self.fields()], ["✓", *ANN], words)
        self.expect(self.browser.evaluate("log.textContent").split(), ["user", "password"])
        self.browser.picture(self.picture)

    def test_plain(self):
        "finds the fields of a form that does not say what they are for"
        self.browser.open("https://shop.example/plain")
        mark, words = self.click()
        self.expect([mark, *self.fields()], ["✓", *ANN], words)
        self.expect(self.browser.evaluate("search.value"), "")

    def test_clobbered(self):
        "fills in a form whose fields are called like methods and properties of nodes"
        self.browser.open("https://shop.example/clobbered")
        mark, words = self.click()
        self.expect([mark, *self.fields()], ["✓", *ANN], words)

    def test_refused(self):
        "fills in nothing on look-alikes and http, in hidden fields, in forms of another kind"
        for url, reason in REFUSED.items():
            self.browser.open(url)
            mark, words = self.click()
            if mark not in "–!" or reason not in words:
                raise Failure(f"{url}: {mark} {words}")
            self.expect(self.fields(), NOTHING, url)

    def test_unseen(self):
        "fills in nothing where the form is not painted, whatever style hides it"
        for name in UNSEEN:
            url = f"https://shop.example/unseen/{name}"
            self.browser.open(url)
            mark, words = self.click()
            if mark != "!":
                raise Failure(f"{url}: {mark} {words}")
            self.expect(self.fields(), NOTHING, url)
            self.expect(self.browser.evaluate("getComputedStyle(password).boxShadow"), "none", url)

    def test_seen(self):
        "fills in forms with the styles of real pages"
        for name in SEEN:
            url = f"https://shop.example/seen/{name}"
            self.browser.open(url)
            mark, words = self.click()
            self.expect([mark, *self.fields()], ["✓", *ANN], f"{url}: {words}")

    def test_frames(self):
        "fills in nothing in a frame of another origin"
        self.browser.open("https://other.example/frame-shop")
        mark, words = self.click()
        self.expect([mark, self.browser.frame_values()],
                    ["!", {"https://shop.example/login": ""}], words)
        self.browser.open("https://shop.example/frame-other")
        mark, words = self.click()
        self.expect([mark, self.browser.evaluate("password.value"), self.browser.frame_values()],
                    ["✓", ANN[1], {"https://other.example/login": ""}], words)

    def test_domain(self):
        "fills in a password of another host of the domain on a second click alone"
        self.browser.open("https://login.bank-of-tests.com/login")
        mark, words = self.click()
        self.expect([mark, *self.fields()], ["?", *NOTHING], words)
        if "carol is for www.bank-of-tests.com" not in words:
            raise Failure(words)
        # The page names the account of another item after the offer, and gets an offer of that one.
        self.browser.evaluate("user.value = 'erin'")
        self.browser.press()
        wait_for(lambda: "erin is for pay.bank" in self.browser.shown()[1], "another offer")
        self.expect(self.fields(), ["erin", ""])
        self.browser.evaluate("user.value = ''")
        self.browser.press()
        wait_for(lambda: "carol is for www.bank" in self.browser.shown()[1], "the first offer")
        self.expect(self.fields(), NOTHING)
        self.browser.press()
        wait_for(lambda: self.browser.shown()[0] == "✓", "the second click")
        self.expect(self.fields(), ["carol", "domain password"])

    def test_accounts(self):
        "fills in the account that the form names, and the next one on another click"
        self.browser.open("https://two.example/login")
        self.browser.evaluate("user.value = 'bob@shop.example'")
        self.click()
        self.expect(self.fields(), BOB)
        self.browser.press()
        wait_for(lambda: self.fields()[0] == ANN[0], "the next account")
        self.expect(self.fields(), ["ann@shop.example", "second site"])

    def test_prompt(self):
        "prompts for an item with an access control, and says where it will be filled in"
        self.say("passcode")
        self.browser.open("https://guarded.example/login")
        mark, words = self.click()
        self.expect([mark, *self.fields()], ["✓", "dora", "guarded password"], words)
        asked = open(f"{self.place}/asked").read()
        if "dora of guarded.example at https://guarded.example" not in asked:
            raise Failure(asked)

    def test_cancel(self):
        "fills in nothing if the person cancels"
        self.say("cancel")
        self.browser.open("https://guarded.example/login")
        mark, words = self.click()
        self.expect([mark, *self.fields()], ["–", *NOTHING], words)

    def test_navigation(self):
        "fills in nothing if the page changes while the person is prompted"
        self.say("wait")
        self.browser.open("https://guarded.example/login")
        self.browser.press()
        wait_for(lambda: os.path.exists(f"{self.place}/waiting"), "a prompt")
        self.browser.open("https://evil.example/login")
        self.say("passcode")
        mark, words = self.answer()
        self.expect([mark, *self.fields()], ["!", *NOTHING], words)

    def test_locked(self):
        "says so if the keychain is locked"
        subprocess.run(["keychainctl", "lock-keychain"], check=True)
        self.browser.open("https://shop.example/login")
        mark, words = self.click()
        self.expect([mark, *self.fields()], ["–", *NOTHING], words)
        if "locked" not in words:
            raise Failure(words)

    def say(self, word):
        """What the pinentry answers to the next prompts."""
        for name in ("asked", "waiting"):
            if os.path.exists(f"{self.place}/{name}"):
                os.remove(f"{self.place}/{name}")
        with open(f"{self.place}/pinentry-word.new", "w") as file:
            file.write(word)
        os.rename(f"{self.place}/pinentry-word.new", f"{self.place}/pinentry-word")


def pinentry(place):
    """A pinentry that answers as the trial says."""
    print("OK", flush=True)
    asked = ""
    while True:
        line = input()
        if line.startswith("SETDESC "):
            asked = line[8:]
        elif line == "BYE":
            print("OK", flush=True)
            return
        elif line == "GETPIN":
            with open(f"{place}/asked", "w") as file:
                file.write(asked)
            while True:
                word = open(f"{place}/pinentry-word").read()
                if word != "wait":
                    break
                open(f"{place}/waiting", "w").close()
                time.sleep(0.05)
            if word == "cancel":
                print("ERR 83886179 Operation cancelled", flush=True)
                continue
            print("D " + os.environ["TRIAL_PASSCODE"])
        print("OK", flush=True)


def main(kind, place, extension, picture):
    browser_class = {"firefox": Firefox, "chromium": Chromium}[kind]
    version = browser_class.version()
    proxy = serve(f"{place}/certificate.pem")
    failed = False
    browser = browser_class(place, proxy, extension)
    try:
        trial = Trial(browser, place, picture)
        # The first click of a new profile may come before the browser has let the extension in.
        browser.open("https://other.example/empty")
        trial.click()
        for name, test in list(vars(Trial).items()):
            if not name.startswith("test_"):
                continue
            line = f"{version}: {test.__doc__}"
            try:
                test(trial)
                print(f"{kind:8} ok       {line}", flush=True)
            except (Failure, OSError, KeyError, subprocess.SubprocessError) as error:
                failed = True
                print(f"{kind:8} FAILED   {line}\n{'':18}{error}", flush=True)
    finally:
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1] == "pinentry":
        pinentry(sys.argv[2])
    else:
        sys.exit(main(*sys.argv[1:]))
