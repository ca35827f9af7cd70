#!/usr/bin/env python3
"""Lists what an installation is made of, as SPDX 2.3 in JSON (https://spdx.github.io/spdx-spec/v2.3).

Every fact is read from the files, from this machine's packages and from the compiler: the files with
their checksums, the Debian packages of the libraries that the programs are linked with, their
versions and licenses, and the Swift toolchain whose runtime is inside the programs. The date is that
of SOURCE_DATE_EPOCH, so the same files give the same list.
"""

import argparse
import datetime
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

OWN_LICENSE = "Apache-2.0"
# Names of licenses in Debian's copyright files that SPDX calls otherwise. Others keep their name,
# as a reference to the file.
SPDX_NAMES = {
    "apache-2.0": "Apache-2.0", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause",
    "cc0": "CC0-1.0", "cc0-1.0": "CC0-1.0", "expat": "MIT", "mit": "MIT", "isc": "ISC", "zlib": "Zlib",
    "gpl-2": "GPL-2.0-only", "gpl-2+": "GPL-2.0-or-later", "gpl-3": "GPL-3.0-only",
    "gpl-3+": "GPL-3.0-or-later", "lgpl-2.1": "LGPL-2.1-only", "lgpl-2.1+": "LGPL-2.1-or-later",
    "lgpl-3+": "LGPL-3.0-or-later", "lgpl-3": "LGPL-3.0-only", "psf-2": "PSF-2.0",
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def identifier(prefix, text):
    return f"SPDXRef-{prefix}-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def is_program(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed_libraries(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", path))


@functools.cache
def library_paths():
    """The file of each library name, as the loader would choose it."""
    paths = {}
    for line in run("/sbin/ldconfig", "-p").splitlines():
        match = re.match(r"\s*(\S+) \(.*\) => (\S+)", line)
        if match:
            paths.setdefault(match[1], match[2])
    return paths


@functools.cache
def debian_package(library):
    """The package that has a library."""
    path = library_paths().get(library)
    if path is None:
        sys.exit(f"sbom: {library} is not on this machine")
    real = os.path.realpath(path)
    for candidate in (real, real.removeprefix("/usr"), "/usr" + real, path):
        found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"sbom: no package has {real}")


def licenses(package):
    """The licenses that the package's copyright file names in Debian's format; none for free text."""
    text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace")
    if not text.lstrip().lower().startswith("format:"):
        return []
    names = set()
    for line in re.findall(r"^License:[ \t]*(\S.*)$", text, re.MULTILINE):
        names.update(re.split(r"\s+(?:and|or|and/or)\s+|,\s*", line.strip()))
    return sorted(name for name in names if re.fullmatch(r"[A-Za-z0-9.+-]+", name))


class Bill:
    def __init__(self, name, version):
        self.packages, self.files, self.relationships, self.extracted = [], [], [], {}
        self.main = identifier("Package", name)
        self.packages.append({
            "SPDXID": self.main, "name": name, "versionInfo": version, "supplier": "NOASSERTION",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": True, "copyrightText": "NOASSERTION",
            "licenseConcluded": OWN_LICENSE, "licenseDeclared": OWN_LICENSE,
            "licenseInfoFromFiles": [OWN_LICENSE],
        })
        self.relate("SPDXRef-DOCUMENT", "DESCRIBES", self.main)

    def relate(self, one, kind, other):
        self.relationships.append(
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
        )

    def add_package(self, name, **facts):
        spdx = identifier("Package", name)
        if all(package["SPDXID"] != spdx for package in self.packages):
            self.packages.append({
                "SPDXID": spdx, "name": name, "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
                "copyrightText": "NOASSERTION", "supplier": "NOASSERTION", **facts,
            })
        return spdx

    def add_debian(self, package):
        query = run("dpkg-query", "--show", "--showformat=${Version}\t${Architecture}", package)
        version, architecture = query.split("\t")
        names = licenses(package)
        url = f"pkg:deb/debian/{package}@{version}?arch={architecture}"
        return self.add_package(
            package, versionInfo=version,
            licenseDeclared=" AND ".join(map(self.license, names)) or "NOASSERTION",
            externalRefs=[{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                "referenceLocator": url.replace("+", "%2B"),
            }],
        )

    def license(self, name):
        known = SPDX_NAMES.get(name.lower())
        if known:
            return known
        reference = "LicenseRef-" + name.replace("+", "-or-later")
        self.extracted.setdefault(reference, {
            "licenseId": reference, "name": name,
            "extractedText": f"See License: {name} in /usr/share/doc/PACKAGE/copyright.",
        })
        return reference

    def add_swift(self):
        line = run("swiftc", "--version").splitlines()[0]
        version = re.search(r"Swift version (\S+)", line)[1]
        return self.add_package(
            "swift-runtime", versionInfo=version, comment=line,
            licenseDeclared="Apache-2.0 WITH Swift-exception",
            description="Swift's runtime and libraries, linked statically",
        )

    def add_file(self, tree, path):
        content = path.read_bytes()
        name = "./" + str(path.relative_to(tree))
        sha1 = hashlib.sha1(content).hexdigest()
        spdx = identifier("File", f"{len(self.files) + 1}")
        kind = "BINARY" if is_program(path) else "TEXT"
        self.files.append({
            "SPDXID": spdx, "fileName": name, "fileTypes": [kind],
            "checksums": [
                {"algorithm": "SHA1", "checksumValue": sha1},
                {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()},
            ],
            "licenseConcluded": OWN_LICENSE, "licenseInfoInFiles": [OWN_LICENSE],
            "copyrightText": "NOASSERTION",
        })
        self.relate(self.main, "CONTAINS", spdx)
        if kind == "BINARY":
            self.add_links(spdx, path, content)

    def add_links(self, spdx, path, content):
        for package in sorted({debian_package(library) for library in needed_libraries(path)}):
            self.relate(spdx, "DYNAMIC_LINK", self.add_debian(package))
        if b"swift5_" in content or b"_swift_" in content or b"swift_retain" in content:
            self.relate(spdx, "STATIC_LINK", self.add_swift())

    def document(self, name, version):
        sums = sorted(file["checksums"][0]["checksumValue"] for file in self.files)
        self.packages[0]["packageVerificationCode"] = {
            "packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()
        }
        date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
        title = f"{name}-{version}"
        unique = uuid.uuid5(uuid.NAMESPACE_URL, title + "".join(sums))
        return {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": title, "documentNamespace": f"https://spdx.org/spdxdocs/{title}-{unique}",
            "creationInfo": {
                "created": date.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: sbom.py"],
            },
            "packages": self.packages, "files": self.files, "relationships": self.relationships,
            "hasExtractedLicensingInfos": [self.extracted[key] for key in sorted(self.extracted)],
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--name", required=True, help="the name of the package")
    parser.add_argument("--version", required=True, help="its version")
    parser.add_argument("--tree", required=True, type=pathlib.Path, help="the files of the package")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="where the list goes")
    arguments = parser.parse_args()
    bill = Bill(arguments.name, arguments.version)
    for path in sorted(arguments.tree.rglob("*")):
        if path.is_file() and not path.is_symlink():
            bill.add_file(arguments.tree, path)
    document = bill.document(arguments.name, arguments.version)
    arguments.output.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
