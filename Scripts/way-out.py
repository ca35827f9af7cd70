#!/usr/bin/env python3
"""Answers git, curl, npm, twine, aws, psql, cargo and docker, if they know the right secret.

It reads what it expects as JSON from standard input, and prints two ports: HTTP and PostgreSQL. If it
gets a certificate, it prints a third one: HTTPS.
"""

import base64
import hashlib
import http.server
import json
import pathlib
import socket
import socketserver
import ssl
import struct
import sys
import threading

EXPECTED = json.loads(sys.stdin.readline())

IMAGE = b'{"architecture": "amd64", "os": "linux"}'
IMAGE_KIND = "application/vnd.docker.container.image.v1+json"
MANIFEST_KIND = "application/vnd.docker.distribution.manifest.v2+json"
DIGEST = "sha256:" + hashlib.sha256(IMAGE).hexdigest()
CONFIG = {"mediaType": IMAGE_KIND, "size": len(IMAGE), "digest": DIGEST}
MANIFEST = {"schemaVersion": 2, "mediaType": MANIFEST_KIND, "config": CONFIG, "layers": []}


def basic(pair):
    return "Basic " + base64.b64encode(pair.encode()).decode()


class Server(http.server.SimpleHTTPRequestHandler):
    """Each first part of a path has its own secret."""

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=EXPECTED["served"])

    def allows(self):
        given = self.headers.get("Authorization", "")
        part = self.path.split("/")[1]
        if self.path.startswith("/cargo/index/"):
            return True
        if part == "cargo":
            return given == EXPECTED["cargo"]
        if part == "npm":
            return given == "Bearer " + EXPECTED["npm"]
        if part == "aws":
            return "Credential=%s/" % EXPECTED["aws"] in given
        return given == basic(EXPECTED.get(part, ""))

    def answer(self, content, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        if not self.allows():
            return self.refuse()
        if self.path.startswith("/npm/"):
            return self.answer(b'{"username": "ann"}', "application/json")
        if self.path.startswith("/cargo/index/config.json"):
            place = "http://%s/cargo" % self.headers["Host"]
            return self.answer(json.dumps({"dl": place, "api": place}).encode(), "text/json")
        if self.path.startswith("/v2/"):
            if "/blobs/" in self.path:
                return self.answer(IMAGE, IMAGE_KIND)
            return self.answer(json.dumps(MANIFEST).encode(), MANIFEST_KIND)
        if self.path.startswith("/curl/"):
            return self.answer(b"curl was let in\n", "text/plain")
        return super().do_GET()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.allows():
            return self.refuse()
        if self.path.startswith("/aws"):
            page = (
                '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">'
                "<GetCallerIdentityResult><Arn>arn:aws:iam::1:user/ann</Arn><UserId>ann</UserId>"
                "<Account>000000000001</Account></GetCallerIdentityResult>"
                "</GetCallerIdentityResponse>"
            )
            return self.answer(page.encode(), "text/xml")
        return self.answer(b"", "text/plain")

    def do_DELETE(self):
        if not self.allows():
            return self.refuse()
        return self.answer(b'{"ok": true}', "application/json")

    def refuse(self):
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="way-out"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Postgres(socketserver.BaseRequestHandler):
    """As much of the protocol as it takes to ask for a password and to answer an empty query."""

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.request.recv(count - len(data))
            if not piece:
                raise ConnectionError
            data += piece
        return data

    def message(self):
        kind = self.exactly(1)
        (length,) = struct.unpack("!I", self.exactly(4))
        return kind, self.exactly(length - 4)

    def send(self, kind, content):
        self.request.sendall(kind + struct.pack("!I", len(content) + 4) + content)

    def handle(self):
        (length,) = struct.unpack("!I", self.exactly(4))
        (code,) = struct.unpack("!I", self.exactly(length - 4)[:4])
        if code != 196608:
            self.request.sendall(b"N")
            return self.handle()
        self.send(b"R", struct.pack("!I", 3))
        _, password = self.message()
        if password.rstrip(b"\0").decode() != EXPECTED["psql"]:
            error = b"SFATAL\0C28P01\0Mthe password is wrong\0\0"
            return self.send(b"E", error)
        self.send(b"R", struct.pack("!I", 0))
        self.send(b"Z", b"I")
        while True:
            kind, _ = self.message()
            if kind == b"X":
                return None
            self.send(b"I", b"")
            self.send(b"Z", b"I")


class Threads(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


pathlib.Path(EXPECTED["served"]).mkdir(exist_ok=True)
servers = [Threads(("127.0.0.1", 0), Server), Threads(("127.0.0.1", 0), Postgres)]
if "certificate" in EXPECTED:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(EXPECTED["certificate"])
    servers.append(Threads(("127.0.0.1", 0), Server))
    servers[2].socket = context.wrap_socket(servers[2].socket, server_side=True)
    threading.Thread(target=servers[2].serve_forever, daemon=True).start()
print(*(server.server_address[1] for server in servers), flush=True)
threading.Thread(target=servers[0].serve_forever, daemon=True).start()
servers[1].serve_forever()
