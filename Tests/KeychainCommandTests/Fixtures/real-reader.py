"""Prints what a real tool reads from a file, as lines of `key=value`, sorted by nothing.

Usage: real-reader.py READER FILE NAME…

NAME… are what to ask for. Exit status 77 if the tool is not there; standard error names it.
"""

import base64
import http.server
import json
import os
import pwd
import shutil
import socket
import struct
import subprocess
import sys
import threading


def missing(what):
    print(what, file=sys.stderr)
    sys.exit(77)


def run(*words, **more):
    if shutil.which(words[0]) is None:
        missing(words[0] + " is not installed")
    return subprocess.run(words, capture_output=True, timeout=60, **more)


def configparser(file, names):
    import configparser

    parser = configparser.RawConfigParser()
    parser.read(file)
    return {n: parser.get(*n.split("/"), fallback=None) for n in names}


def botocore(file, names):
    try:
        from botocore.configloader import raw_config_parse
    except ImportError:
        missing("botocore is not installed")
    found = raw_config_parse(file)
    return {n: found.get(n.split("/")[0], {}).get(n.split("/")[1]) for n in names}


def dotenv(file, names):
    try:
        from dotenv import dotenv_values
    except ImportError:
        missing("python-dotenv is not installed")
    import logging

    logging.disable()
    found = dotenv_values(file)
    return {n: found.get(n) for n in names}


def sh(file, names):
    found = {}
    for name in names:
        told = run("sh", "-c", '. "$0"; printf %s "${' + name + '-}"', os.path.abspath(file))
        found[name] = told.stdout.decode() or None
    return found


def ruby_dotenv(file, names):
    script = (
        'require "json"; begin require "dotenv"; rescue LoadError; exit 77; end; '
        'text = File.binread(ARGV[0]).force_encoding("UTF-8"); '
        "print JSON.generate(Dotenv::Parser.call(text))"
    )
    told = run("ruby", "-e", script, os.path.abspath(file))
    if told.returncode == 77:
        missing("Ruby's dotenv is not installed")
    found = json.loads(told.stdout)
    return {n: found.get(n) for n in names}


def netrc(file, names):
    import netrc

    found = netrc.netrc(file)
    return {n: ":".join([(found.authenticators(n) or ["", "", ""])[i] for i in (0, 2)]) for n in names}


def curl(file, names):
    got = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            got.append(self.headers.get("Authorization"))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_port
    found = {}
    for name in names:
        got.clear()
        url = f"http://{name}:{port}/"
        run("curl", "-sS", "--noproxy", "*", "--netrc-file", file, "--resolve", f"{name}:{port}:127.0.0.1", url)
        value = got[0] if got else None
        found[name] = base64.b64decode(value.split()[1]).decode() if value else None
    return found


def git(file, names):
    found = {}
    for name in names:
        scheme, _, host = name.partition("://")
        asked = f"protocol={scheme}\nhost={host}\n\n".encode()
        told = run("git", "credential-store", "--file", os.path.abspath(file), "get", input=asked)
        lines = dict(l.split("=", 1) for l in told.stdout.decode().splitlines())
        found[name] = lines["username"] + ":" + lines["password"] if lines else None
    return found


def npm(file, names):
    program = shutil.which("npm")
    if program is None or shutil.which("node") is None:
        missing("npm is not installed")
    home = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    places = [home + "/node_modules/ini", "/usr/share/nodejs/ini", "/usr/lib/node_modules/npm/node_modules/ini"]
    place = next((p for p in places if os.path.isdir(p)), None)
    if place is None:
        missing("npm's package ini is in no known place")
    script = "const [p, f] = process.argv.slice(1); console.log(JSON.stringify(require(p).parse(require('fs').readFileSync(f, 'utf8'))))"
    told = run("node", "-e", script, place, file)
    found = json.loads(told.stdout)
    return {n: found.get(n) for n in names}


def psql(file, names):
    """Asks libpq, by a server that wants the password as it is."""
    found = {}
    for name in names:
        host, port, user = name.split(",")
        listener = socket.create_server(("127.0.0.1", 0))
        got = []

        def serve():
            connection, _ = listener.accept()
            with connection:
                data = connection.recv(4096)
                if struct.unpack("!I", data[4:8])[0] in (80877103, 80877104):
                    connection.sendall(b"N")
                    connection.recv(4096)
                connection.sendall(b"R" + struct.pack("!II", 8, 3))
                data = connection.recv(4096)
                if data[:1] == b"p":
                    got.append(data[5:-1].decode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        # The file's port is looked up; the connection goes where the server really is.
        actual = listener.getsockname()[1]
        text = open(file, encoding="utf-8").read().replace(":" + port + ":", f":{actual}:")
        with open(file + ".now", "w", encoding="utf-8", newline="") as copy:
            copy.write(text)
        os.chmod(file + ".now", 0o600)
        environment = dict(os.environ, PGPASSFILE=file + ".now", PGSSLMODE="disable", PGGSSENCMODE="disable")
        words = ["-h", host, "-p", str(actual), "-U", user, "-d", "d", "-w", "-c", ""]
        run("psql", *words, env=dict(environment, PGHOSTADDR="127.0.0.1"))
        thread.join(10)
        found[name] = got[0] if got else None
    return found


def docker(file, names):
    try:
        from docker import auth
    except ImportError:
        missing("docker's Python library is not installed")
    found = auth.load_config(file)
    return {n: (lambda e: f"{e['username']}:{e['password']}" if e else None)(found.resolve_authconfig(n)) for n in names}


def toml(file, names):
    try:
        import tomllib
    except ImportError:
        missing("Python has no tomllib")
    with open(file, "rb") as opened:
        found = tomllib.load(opened)

    def value(name):
        node = found
        for part in name.split("/"):
            node = node.get(part, {})
        return node or None

    return {n: value(n) for n in names}


def daemon():
    """A daemon of docker's that notes what the client asks for, and refuses it."""
    asked = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, status):
            body = b'{"message":"noted"}'
            self.send_response(status)
            self.send_header("Api-Version", "1.40")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def do_HEAD(self):
            self.answer(200)

        def do_GET(self):
            self.answer(200)

        def do_POST(self):
            size = int(self.headers.get("Content-Length") or 0)
            asked["body"] = json.loads(self.rfile.read(size) or b"{}")
            asked["registry"] = self.headers.get("X-Registry-Auth") or "e30="
            self.answer(500)

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return asked, dict(os.environ, DOCKER_HOST=f"tcp://127.0.0.1:{server.server_port}")


def env_file(file, names):
    """What `docker run --env-file` gives to a container."""
    asked, environment = daemon()
    told = run("docker", "create", "--env-file", file, "image", env=environment)
    if "body" not in asked:
        print(told.stderr.decode(), file=sys.stderr)
    found = dict(e.split("=", 1) for e in asked.get("body", {}).get("Env") or [] if "=" in e)
    return {n: found.get(n) for n in names}


def docker_pull(file, names):
    """What `docker pull` sends for a registry."""
    folder = file + ".folder"
    os.mkdir(folder)
    shutil.copy(file, folder + "/config.json")
    found = {}
    for name in names:
        asked, environment = daemon()
        run("docker", "--config", folder, "pull", name + "/x", env=environment)
        sent = json.loads(base64.urlsafe_b64decode(asked["registry"] + "=="))
        words = [sent.get(k) for k in ("username", "password", "identitytoken")]
        found[name] = ":".join(w for w in words if w) or None
    return found


def systemd(file, names):
    """The function of systemd's own library that reads `EnvironmentFile=`."""
    import ctypes
    import glob

    found = glob.glob("/usr/lib/*/systemd/libsystemd-shared-*.so")
    if not found:
        missing("systemd is not installed")
    library = ctypes.CDLL(found[0])
    if not hasattr(library, "load_env_file"):
        missing("systemd's library has another name for its reader")
    result = ctypes.POINTER(ctypes.c_char_p)()
    status = library.load_env_file(None, os.fsencode(file), ctypes.byref(result))
    if status < 0:
        raise OSError(-status, "systemd refuses the file")
    lines = []
    while result and result[len(lines)] is not None:
        lines.append(result[len(lines)].decode())
    values = dict(line.split("=", 1) for line in lines)
    return {n: values.get(n) for n in names}


def twine(file, names):
    try:
        from twine.utils import get_config
    except ImportError:
        missing("twine is not installed")
    found = get_config(file)
    return {n: found.get(n.split("/")[0], {}).get(n.split("/")[1]) for n in names}


def cargo(file, names):
    """The token that cargo sends to a registry."""
    home = file + ".home"
    os.mkdir(home)
    shutil.copy(file, home + "/credentials.toml")
    found = {}
    for name in names:
        got = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                got.append(self.headers.get("Authorization"))
                base = f"http://127.0.0.1:{self.server.server_port}"
                isIndex = self.path.endswith("config.json")
                body = json.dumps({"dl": base, "api": base} if isIndex else {"users": []}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with open(home + "/config.toml", "w") as config:
            config.write(f'[registries]\n"{name}".index = "sparse+http://127.0.0.1:{server.server_port}/i/"\n')
        environment = dict(os.environ, CARGO_HOME=home)
        # A test has a home directory of its own, and rustup's toolchains lie in the account's.
        environment.setdefault("RUSTUP_HOME", pwd.getpwuid(os.getuid()).pw_dir + "/.rustup")
        told = run("cargo", "owner", "--list", "x", "--registry", name, env=environment, cwd=home)
        if not got:
            print(told.stderr.decode(), file=sys.stderr)
            if b"no default toolchain" in told.stderr or b"could not choose a version" in told.stderr:
                missing("cargo has no toolchain")
        found[name] = next((g for g in got if g), None)
    return found


reader, file, *names = sys.argv[1:]
try:
    answer = globals()[reader](file, names)
except SystemExit:
    raise
except Exception as error:
    answer = {n: None for n in names}
    print(type(error).__name__, file=sys.stderr)
for name in names:
    value = answer.get(name)
    print(f"{name}={json.dumps(value, ensure_ascii=False)}")
