"""Runs one recipe of Documentation/Recipes.md as it is written, or all of another page.

    python3 Scripts/recipes.py TITLE
    python3 Scripts/recipes.py --page PAGE --bin BIN

The second form runs the blocks of Documentation/PAGE.md in a home directory of their own, with the programs of BIN. It
types a passphrase at each prompt. Any account can run it.

A block whose first line is `# /path` or `<!-- /path -->` is that file. A block of sh is run. A block of text is what the sh
block before it prints.
"""
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile

PAGES = pathlib.Path(__file__).resolve().parent.parent / "Documentation"
PAGE = PAGES / "Recipes.md"
PHRASE = b"tundra velvet orbit mango fifty-two nylon\n"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
PATH = re.compile(r"^(?:# (/\S+)|<!-- (/\S+) -->)\n")


def blocks(title):
    """The language and the text of every block of a section."""
    sections = re.split(r"^## ", PAGE.read_text(), flags=re.M)
    section = next((part for part in sections if part.startswith(title + "\n")), None)
    if section is None:
        sys.exit(f"{PAGE.name} has no section {title}")
    return BLOCK.findall(section)


def run(text):
    """Runs commands as a person at a terminal would; ends where one fails."""
    tpm = os.environ.get("TPM")
    if tpm:  # the recipe names the machine's TPM
        text = text.replace("=tpm2", f"=tpm2:{tpm}").replace("-with tpm", f"-with tpm:{tpm}")
        text = text.replace("passcode seal", f"passcode seal --unlock-with tpm:{tpm}")
    end = subprocess.run(["bash", "-euo", "pipefail", "-c", text], capture_output=True, text=True)
    if end.returncode:
        sys.exit(f"status {end.returncode} of:\n{text}{end.stdout}{end.stderr}")
    return end.stdout


def run_at_terminal(text, place, variables):
    """Runs commands at a terminal of their own, and answers their prompts; what standard output got."""
    keeper, terminal = pty.openpty()
    shell = subprocess.Popen(
        # The next block begins with the variables and in the directory that this one leaves.
        ["bash", "-eu", "-c", text + "\nexport -p >~/.variables"],
        stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, cwd=place, env=variables,
        start_new_session=True, preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
    )
    os.close(terminal)
    printed, said, sources = b"", b"", [keeper, shell.stdout.fileno()]
    while sources:
        for source in select.select(sources, [], [])[0]:
            try:
                data = os.read(source, 65536)
            except OSError:  # nobody has the terminal open
                data = b""
            if not data:
                sources.remove(source)
            elif source == keeper:
                said += data
                if re.search(rb"(?i)(pass|password|secret)[^\n]*: ?$", said.splitlines()[-1]):
                    os.write(keeper, PHRASE)
            else:
                printed += data
    os.close(keeper)
    if shell.wait():
        sys.exit(f"status {shell.returncode} of:\n{text}{printed.decode()}{said.decode()}")
    return printed.decode()


def run_page(name, programs):
    """Runs every sh block of a page, one after the other, and compares the text blocks."""
    printed, count = "", 0
    with tempfile.TemporaryDirectory(prefix="page-") as place:
        variables = {
            "HOME": place, "XDG_RUNTIME_DIR": place, "PATH": f"{pathlib.Path(programs).resolve()}:/usr/bin:/bin",
            "KEYCHAIN_PROMPT": "terminal", "KEYCHAIN_SOCKET": "", "BASH_ENV": f"{place}/.variables", "LC_ALL": "C.UTF-8",
        }
        for language, text in BLOCK.findall((PAGES / f"{name}.md").read_text()):
            if language == "sh":
                printed, count = run_at_terminal(text, place, variables), count + 1
            elif language == "text" and printed != text:
                sys.exit(f"it printed:\n{printed}and the page says:\n{text}")
        # What is unlocked is in memory, in a file that goes with the keychain's unlock.
        for keybag in pathlib.Path(place).rglob("keybag"):
            image = f"keychain-{keybag.read_bytes()[12:20].hex()}-*"
            for folder in (place, "/dev/shm", f"/run/user/{os.getuid()}"):
                for file in pathlib.Path(folder).glob(image):
                    file.unlink()
    print(f"{name}.md: {count} blocks ran as written")


def main(title):
    printed = ""
    for language, text in blocks(title):
        path = PATH.match(text)
        if path:
            place = pathlib.Path(path[1] or path[2])
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        elif language == "sh":
            printed = run(text)
        elif language == "text" and printed != text:
            sys.exit(f"it printed:\n{printed}and the page says:\n{text}")


if sys.argv[1] == "--page":
    run_page(sys.argv[2], sys.argv[4])
else:
    main(sys.argv[1])
