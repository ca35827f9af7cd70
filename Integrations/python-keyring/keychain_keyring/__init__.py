"""A keyring backend that stores passwords in swift-keychain, without D-Bus.

The backend runs ``keychainctl`` for each call. A password travels through a pipe, and never
through the command line, which other users can read. Service and user name do stand on the
command line.

    >>> import keyring
    >>> keyring.set_password("mail", "alice", "hunter2")    # doctest: +SKIP
    >>> keyring.get_password("mail", "alice")               # doctest: +SKIP
    'hunter2'
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import Any, NoReturn, Optional

from keyring import credentials, errors
from keyring.backend import KeyringBackend
from keyring.compat import properties

__all__ = ["Keyring"]

COMMAND = "keychainctl"
"""The program that the backend runs, unless the property ``command`` names another one."""

ITEM_NOT_FOUND = -25300
"""No item matches (``errSecItemNotFound``)."""

LOCKED = frozenset({-25308, -25293, -128})
"""The item does not open now: locked, wrong passcode, or the user canceled the prompt."""

UNAVAILABLE = frozenset({-25291, -25294, -25295})
"""The keychain does not open at all."""

_STATUS = re.compile(r"^\S+: \w+ \((-?\d+)\): ")


class _Refusal(Exception):
    """``keychainctl`` ended with an error."""

    def __init__(self, status: Optional[int], reason: str) -> None:
        super().__init__(reason)
        self.status = status
        """The status of Keychain Services; None if the command was not understood."""


class Keyring(KeyringBackend):
    """Passwords as generic passwords of the keychain."""

    command: Optional[str] = None
    """The path of ``keychainctl``; None for the one in ``PATH``.

    Set it with ``KEYRING_PROPERTY_COMMAND`` or ``with_properties(command=…)``.
    """

    @properties.classproperty
    def priority(cls) -> float:
        """6 if there is a ``keychainctl``: above every desktop's store, which needs D-Bus."""
        command = os.environ.get("KEYRING_PROPERTY_COMMAND") or COMMAND
        if shutil.which(command) is None:
            raise RuntimeError(f"{command} is not installed")
        return 6

    def get_password(self, service: str, username: Optional[str]) -> Optional[str]:
        """Returns the password; None if there is none.

        Raises KeyringLocked if the item does not open now.
        """
        item = self._find(["-s", service, "-a", username or ""])
        return None if item is None else _password(item)

    def set_password(self, service: str, username: Optional[str], password: str) -> None:
        """Stores the password, or replaces the one that is there, in one step.

        Raises PasswordSetError, or KeyringLocked if the keychain does not open now.
        """
        words = ["add-generic-password", "-U", "--allow-empty", "-s", service, "-a", username or ""]
        value = _bytes(password)
        if value is None:
            raise errors.PasswordSetError("the password is not text: it has a lone surrogate")
        try:
            # keychainctl removes one line feed at the end: this one.
            self._run(words, value + b"\n")
        except _Refusal as refusal:
            _raise(refusal, errors.PasswordSetError)

    def delete_password(self, service: str, username: Optional[str]) -> None:
        """Deletes the password.

        Raises PasswordDeleteError if there is none, or KeyringLocked if the keychain does not
        open now.
        """
        try:
            self._run(["delete-generic-password", "-s", service, "-a", username or "", "--json"])
        except _Refusal as refusal:
            _raise(refusal, errors.PasswordDeleteError)

    def get_credential(
        self, service: str, username: Optional[str]
    ) -> Optional[credentials.Credential]:
        """Returns user name and password; without a user name, those of the first item.

        Raises KeyringLocked if the item does not open now.
        """
        account = [] if username is None else ["-a", username]
        item = self._find(["-s", service, *account])
        if item is None:
            return None
        if username is None:
            username = _text(item, "account")
        return credentials.SimpleCredential(username, _password(item))

    def _find(self, filters: list[str]) -> Optional[dict[str, Any]]:
        """Returns the first item that matches, with its password; None if there is none."""
        try:
            output = self._run(["find-generic-password", *filters, "-w", "--json"])
        except _Refusal as refusal:
            if refusal.status == ITEM_NOT_FOUND:
                return None
            _raise(refusal, errors.KeyringError)
        item: dict[str, Any] = json.loads(output)
        return item

    def _run(self, words: list[str], value: Optional[bytes] = None) -> bytes:
        """Runs ``keychainctl`` and returns what it printed."""
        command = shutil.which(self.command or COMMAND)
        if command is None:
            raise errors.InitError(f"{self.command or COMMAND} is not installed")
        arguments = [word for word in map(_bytes, words) if word is not None and b"\0" not in word]
        if len(arguments) < len(words):
            raise _Refusal(None, "service and user name cannot have a NUL or a lone surrogate")
        # No timeout: a user may have to be prompted, and keychainctl limits how long that takes.
        try:
            done = subprocess.run(
                [command.encode(), *arguments],
                input=b"" if value is None else value,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                check=False,
            )
        except OSError as error:
            raise errors.InitError(f"{command} does not run: {error.strerror}") from error
        if done.returncode != 0:
            raise _refusal(done.stderr.decode("utf-8", "replace"), done.returncode)
        return done.stdout


def _bytes(text: str) -> Optional[bytes]:
    """Returns the bytes of a text (PEP 383); None if it has none.

    The error of `encode` contains the text, so it must not become the context of another error.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


def _refusal(told: str, code: int) -> _Refusal:
    """Returns the error in what ``keychainctl`` wrote: the last line is the one about the end."""
    lines = told.splitlines()
    for line in reversed(lines):
        match = _STATUS.match(line)
        if match:
            return _Refusal(int(match.group(1)), line)
    return _Refusal(None, lines[-1] if lines else f"{COMMAND} ended with {code}")


def _raise(refusal: _Refusal, kind: type[errors.KeyringError]) -> NoReturn:
    """Raises keyring's error for a refusal; `kind` unless the whole keychain is out of reach."""
    if refusal.status in LOCKED:
        kind = errors.KeyringLocked
    elif refusal.status in UNAVAILABLE:
        kind = errors.InitError
    raise kind(str(refusal)) from refusal


def _text(item: dict[str, Any], name: str) -> str:
    """Returns a member as text; bytes that are not UTF-8 become surrogates (PEP 383)."""
    if name in item:
        return str(item[name])
    return bytes.fromhex(item.get(name + "Hex", "")).decode("utf-8", "surrogateescape")


def _password(item: dict[str, Any]) -> str:
    """Returns the password of an item."""
    return _text(item, "password")
