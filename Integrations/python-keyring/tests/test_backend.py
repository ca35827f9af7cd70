"""keyring's own tests for backends, and what is the backend's own.

Set KEYCHAIN_HOME to an empty directory first: the tests store and delete items.
"""

from __future__ import annotations

import os
import pathlib
import stat
import subprocess
from typing import Iterator

import keyring
import pytest
from keyring import errors
from keyring.testing.backend import BackendBasicTests

import keychain_keyring


@pytest.fixture(autouse=True)
def own_keychain(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Each test has a keychain of its own, never that of the user."""
    monkeypatch.setenv("KEYCHAIN_HOME", str(tmp_path_factory.mktemp("keychain")))
    monkeypatch.setenv("KEYCHAIN_SOCKET", "")
    yield


def keychainctl(*words: str, given: bytes = b"") -> bytes:
    """Runs the command as a user would."""
    return subprocess.run(
        ["keychainctl", *words], input=given, stdout=subprocess.PIPE, check=True
    ).stdout


class TestKeychain(BackendBasicTests):
    """The tests that keyring has for every backend."""

    def init_keyring(self) -> keychain_keyring.Keyring:
        return keychain_keyring.Keyring()

    @pytest.fixture(autouse=True)
    def _init_properties(self, request: pytest.FixtureRequest, own_keychain: None) -> None:
        """Makes the keyring after the keychain, so that the clean-up still finds the items."""
        self.keyring = self.init_keyring()
        self.credentials_created: set[tuple[str, str]] = set()
        request.addfinalizer(self.cleanup)


@pytest.mark.parametrize(
    "password",
    [
        "a\0b",
        "\n",
        "line\n",
        "line\n\n",
        "\r\n",
        "\ufffd",
        "\udcff\udc80 not UTF-8",
        "'\"\\$`",
        "x" * 100_000,
        "ff",
        "0xff",
    ],
    ids=ascii,
)
def test_every_byte_comes_back(password: str) -> None:
    """Nothing of a password is lost or changed on its way."""
    backend = keychain_keyring.Keyring()
    backend.set_password("service", "user", password)
    assert backend.get_password("service", "user") == password


def test_the_command_sees_the_same_item() -> None:
    """Both ways: an item of the backend is a generic password, and the other way round."""
    backend = keychain_keyring.Keyring()
    backend.set_password("mail", "alice", "hunter2")
    found = keychainctl("find-generic-password", "-s", "mail", "-a", "alice", "-w")
    assert found == b"hunter2\n"
    keychainctl("add-generic-password", "-s", "shop", "-a", "bob", given=b"s3cret\n")
    assert backend.get_password("shop", "bob") == "s3cret"
    credential = backend.get_credential("shop", None)
    assert credential is not None
    assert (credential.username, credential.password) == ("bob", "s3cret")


def test_a_locked_keychain_is_a_locked_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can be asked here, so every call says at once that the keyring is locked."""
    monkeypatch.setenv("KEYCHAIN_PROMPT", "none")
    backend = keychain_keyring.Keyring()
    backend.set_password("mail", "alice", "hunter2")
    keychainctl("passcode", "set", given=b"tundra velvet orbit mango 7\n")
    keychainctl("lock-keychain")
    with pytest.raises(errors.KeyringLocked):
        backend.get_password("mail", "alice")
    with pytest.raises(errors.KeyringLocked):
        backend.set_password("mail", "bob", "s3cret")
    keychainctl("unlock-keychain", given=b"tundra velvet orbit mango 7\n")
    assert backend.get_password("mail", "alice") == "hunter2"


def test_no_password_stands_on_a_command_line(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program in the place of keychainctl writes down how it was called."""
    spy = tmp_path / "spy"
    script = """#!/bin/sh
tr '\\0' ' ' </proc/$$/cmdline >>"$0.words"
env >>"$0.words"
exec keychainctl "$@"
"""
    spy.write_text(script)
    spy.chmod(stat.S_IRWXU)
    backend = keychain_keyring.Keyring().with_properties(command=str(spy))
    backend.set_password("mail", "alice", "hunter2")
    assert backend.get_password("mail", "alice") == "hunter2"
    backend.delete_password("mail", "alice")
    words = (tmp_path / "spy.words").read_text()
    assert words.count("alice") == 3
    assert "hunter2" not in words


def test_names_that_no_command_line_holds_are_refused() -> None:
    """The error never contains the password."""
    backend = keychain_keyring.Keyring()
    for service, password in [("a\0b", "hunter2"), ("\ud800", "hunter2"), ("a", "hunter2\ud800")]:
        with pytest.raises(errors.PasswordSetError) as raised:
            backend.set_password(service, "user", password)
        assert "hunter2" not in str(raised.value)
        assert raised.value.__context__ is None or "hunter2" not in repr(raised.value.__context__)


def test_a_keychain_that_does_not_open_is_an_init_error(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing program, one that does not run, and a keychain that cannot be made."""
    backend = keychain_keyring.Keyring()
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF")
    broken.chmod(stat.S_IRWXU)
    for command in [str(tmp_path / "none"), str(broken)]:
        with pytest.raises(errors.InitError):
            backend.with_properties(command=command).get_password("mail", "alice")
    monkeypatch.setenv("KEYCHAIN_HOME", os.devnull + "/keychain")
    with pytest.raises(errors.InitError):
        backend.get_password("mail", "alice")


def test_keyring_chooses_it_where_the_command_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry point is found, and the backend is not viable without the command."""
    rings = keyring.backend.get_all_keyring()
    assert any(isinstance(ring, keychain_keyring.Keyring) for ring in rings)
    assert keychain_keyring.Keyring.viable
    monkeypatch.setenv("PATH", os.devnull)
    assert not keychain_keyring.Keyring.viable
