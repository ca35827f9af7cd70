#!/usr/bin/env python3
"""Connects to keychainctl serve-credential as systemd does, and prints what it gets.

Usage: credential-client.py ADDRESS. The address is the one of systemd's end, without its zero byte;
@ in front of it stands for none.
"""

import os
import socket
import subprocess
import sys
import tempfile

address = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(folder + "/socket")
    listener.listen()
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if not address.startswith("@"):
        systemd.bind("\0" + address)
    systemd.connect(folder + "/socket")
    connection, _ = listener.accept()
systemd.shutdown(socket.SHUT_WR)
# The password goes into the connection although standard output goes to a log.
output = subprocess.DEVNULL if address.endswith("/log") else connection
child = subprocess.Popen(["keychainctl", "serve-credential"], stdin=connection, stdout=output)
connection.close()
received = b""
while piece := systemd.recv(1 << 16):
    received += piece
    # As systemd, which takes no more than a megabyte.
    if len(received) > 1 << 20:
        received = b"too long: the unit does not start"
        systemd.close()
        break
os.write(1, received)
sys.exit(child.wait())
