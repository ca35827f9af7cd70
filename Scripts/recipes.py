"""Runs one recipe of Documentation/Recipes.md as it is written.

    python3 Scripts/recipes.py TITLE

A block whose first line is `# /path` or `<!-- /path -->` is that file. A block of sh is run. A block of text is what the sh
block before it prints.
"""
import os
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parent.parent / "Documentation/Recipes.md"
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


main(sys.argv[1])
