#!/usr/bin/env bash
# Makes Debian packages, or a tarball for other distributions. The same sources and the same
# compiler give the same bytes. Needs no root and touches no keychain.
set -euo pipefail
cd "$(dirname "$0")/.."
source Packaging/places.sh

usage() {
    cat <<'END'
usage: Scripts/package.sh [--bin DIR] [--output DIR] [--tarball] [--fast]

Makes swift-keychain_VERSION_ARCH.deb and swift-keychain-dev_VERSION_all.deb, and a list of what is
inside: swift-keychain_VERSION_ARCH.spdx.json (SPDX 2.3).

  --bin DIR     package the programs of DIR; without it, build them (Scripts/release.sh)
  --output DIR  where the files go [.build/packages]
  --tarball     make swift-keychain-VERSION-ARCH.tar.xz instead, with Swift's runtime inside
  --fast        compress nothing, for a trial

DEBFULLNAME and DEBEMAIL are the maintainer of the packages. SOURCE_DATE_EPOCH is their date [that
of the last commit].

Example: Scripts/package.sh --output /tmp/packages && sudo apt install /tmp/packages/*.deb
END
}

fail() {
    printf 'package: %s\n' "$@" >&2
    exit 1
}

built='' output=.build/packages kind=deb fast=no
while [[ $# -gt 0 ]]; do
    case $1 in
        --bin | --output)
            [[ $# -ge 2 ]] || { usage >&2; exit 2; }
            if [[ $1 == --bin ]]; then built=$2; else output=$2; fi
            shift
            ;;
        --tarball) kind=tarball ;;
        --fast) fast=yes ;;
        -h | --help) usage; exit 0 ;;
        *) printf 'package: unknown argument %s\n' "$1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done
for tool in dpkg-deb dpkg-shlibdeps objcopy xz python3; do
    command -v "$tool" >/dev/null || fail "$tool is missing: install dpkg-dev, binutils, xz-utils and python3"
done
if [[ -z ${SOURCE_DATE_EPOCH-} ]]; then
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null) ||
        fail "this is no clone: set SOURCE_DATE_EPOCH to the date of the sources, in seconds since 1970"
fi
export SOURCE_DATE_EPOCH
[[ -n $built ]] || built=$(Scripts/release.sh)
for program in "${programs[@]}" libkeychain-pkcs11.so; do
    [[ -f $built/$program ]] || fail "$built has no $program: run Scripts/release.sh"
done

umask 022
export LC_ALL=C TZ=UTC
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/KeychainModel/Version.swift)
architecture=$(dpkg --print-architecture)
machine=$(uname -m)
maintainer="${DEBFULLNAME:-swift-keychain} <${DEBEMAIL:-maintainers@swift-keychain.org}>"
mkdir -p "$output"
output=$(realpath "$output")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# section_size FILE SECTION: in bytes, or nothing if there is none.
section_size() {
    local size
    size=$(objdump -h "$1" | awk -v name="$2" '$2 == name {print $3}')
    [[ -z $size ]] || printf '%s' "$((16#$size))"
}

# build_id DIGITS: the note of a build ID, as ELF has it.
build_id() {
    local bytes
    bytes=$(fold -w 2 <<<"$1" | sed 's/^/\\x/' | tr -d '\n')
    printf '\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0%b' "$bytes"
}

# reduce INPUT OUTPUT: without symbols, and without what differs between two builds: the compiler's
# hashes of its modules know the directory of the build. Nothing reads them in a program, so they
# become zeros. The build ID, which the linker derived from them, becomes that of the result.
reduce() {
    local size options=(--strip-unneeded --remove-section=.comment)
    size=$(section_size "$1" .swift_modhash)
    if [[ -n $size ]]; then
        head -c "$size" /dev/zero >"$work/zeros"
        options+=(--update-section ".swift_modhash=$work/zeros")
    fi
    if [[ $(section_size "$1" .note.gnu.build-id) == 36 ]]; then
        build_id "$(printf '0%.0s' {1..40})" >"$work/id"
        objcopy "${options[@]}" --update-section ".note.gnu.build-id=$work/id" "$1" "$2"
        build_id "$(sha1sum "$2" | cut -c1-40)" >"$work/id"
        options+=(--update-section ".note.gnu.build-id=$work/id")
    fi
    objcopy "${options[@]}" "$1" "$2"
}

# programs_into DIRECTORY: the programs, the library and the module.
programs_into() {
    local file
    mkdir -p "$1"
    for file in "${programs[@]}" libkeychain-pkcs11.so; do reduce "$built/$file" "$1/$file"; done
    Scripts/pam-module.sh "$work/pam_keychain.so"
    reduce "$work/pam_keychain.so" "$1/pam_keychain.so"
}

# bill TREE OUTPUT: what the files of a tree are made of.
bill() {
    Scripts/sbom.py --name swift-keychain --version "$version" --tree "$1" --output "$2"
}

# same_dates TREE: no file keeps the time of its build.
same_dates() { find "$1" -depth -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +; }

# documents NAME: what every Debian package has below /usr/share/doc.
documents() {
    local directory=$work/$1/usr/share/doc/$1
    mkdir -p "$directory"
    cp Packaging/debian/copyright "$directory/copyright"
    gzip -9nc CHANGELOG.md >"$directory/changelog.gz"
    printf '%s (%s) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' "$1" "$version-1" \
        "$maintainer" "$(date -uR -d "@$SOURCE_DATE_EPOCH")" | gzip -9nc >"$directory/changelog.Debian.gz"
}

# depends TREE: the packages that the programs are linked with, and their least versions.
depends() {
    mkdir -p "$work/shlibs/debian"
    printf 'Source: swift-keychain\n\nPackage: swift-keychain\nArchitecture: any\n' \
        >"$work/shlibs/debian/control"
    local files
    mapfile -t files < <(find "$1" -type f \( -name '*.so' -o -path '*/bin/*' \) | sort)
    (cd "$work/shlibs" && dpkg-shlibdeps -O "${files[@]}" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# control TEMPLATE NAME ARCHITECTURE [DEPENDS]
control() {
    local tree=$work/$2
    mkdir -p "$tree/DEBIAN"
    sed "s|@VERSION@|$version-1|; s|@ARCHITECTURE@|$3|; s|@MAINTAINER@|$maintainer|
        s|@SIZE@|$(du -sk --apparent-size "$tree" | cut -f1)|; s|@DEPENDS@|${4-}|" \
        "Packaging/debian/$1" >"$tree/DEBIAN/control"
    (cd "$tree" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | sort |
        xargs -d '\n' md5sum >DEBIAN/md5sums)
}

# archive NAME ARCHITECTURE
archive() {
    local file="$output/$1_$version-1_$2.deb"
    local compression=(-Zxz --threads-max=1)
    [[ $fast == no ]] || compression=(-Znone)
    same_dates "$work/$1"
    dpkg-deb --root-owner-group "${compression[@]}" --build "$work/$1" "$file" >/dev/null
    printf '%s\n' "$file"
}

make_package() {
    local tree=$work/swift-keychain script
    local modules
    modules=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
    programs_into "$work/bin"
    DESTDIR=$tree LIBDIR=$modules/pkcs11 Scripts/install.sh --bin "$work/bin" /usr >/dev/null
    # Debian's places.
    mkdir -p "$tree/lib" "$tree/usr/share/zsh"
    mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
    mv "$tree/usr/lib/systemd" "$tree/lib/systemd"
    chmod 0644 "$tree$modules/pkcs11/libkeychain-pkcs11.so" "$tree$modules/security/pam_keychain.so"
    ln -s keychainctl "$tree/usr/bin/git-credential-keychain"
    ln -s keychainctl "$tree/usr/bin/docker-credential-keychain"
    find "$tree/usr/share/man" -type f -exec gzip -9n {} +
    local pages=$tree/usr/share/man/man1
    ln -s keychainctl-git-credential.1.gz "$pages/git-credential-keychain.1.gz"
    ln -s keychainctl-docker-credential.1.gz "$pages/docker-credential-keychain.1.gz"
    mkdir -p "$tree/etc/keychain/programs.d"
    documents swift-keychain
    cp Packaging/debian/README.Debian "$tree/usr/share/doc/swift-keychain/"
    install -D -m 0644 Packaging/debian/lintian-overrides \
        "$tree/usr/share/lintian/overrides/swift-keychain"
    bill "$tree" "$work/bill.json"
    cp "$work/bill.json" "$output/swift-keychain_$version-1_$architecture.spdx.json"
    gzip -9nc "$work/bill.json" >"$tree/usr/share/doc/swift-keychain/sbom.spdx.json.gz"
    control control swift-keychain "$architecture" "$(depends "$tree")"
    for script in postinst prerm postrm; do
        sed -e "s|@PROTECTED@|${protected[*]}|" -e '/@END_DAEMONS@/{r Packaging/debian/end-daemons' -e 'd}' \
            "Packaging/debian/$script" >"$tree/DEBIAN/$script"
        chmod 0755 "$tree/DEBIAN/$script"
    done
    archive swift-keychain "$architecture"
}

# The sources: Swift compiles them with the program that uses them.
make_dev_package() {
    local sources=$work/swift-keychain-dev/usr/src/swift-keychain
    mkdir -p "$sources"
    git archive HEAD | tar -x --no-same-permissions --no-same-owner -C "$sources"
    # Nobody who compiles a program needs what only makes and tries packages.
    rm -rf "$sources/.ci" "$sources/LICENSE" "$sources/Scripts/try-package.sh"
    find "$sources" -name .gitignore -delete
    documents swift-keychain-dev
    install -D -m 0644 Packaging/debian/lintian-overrides-dev \
        "$work/swift-keychain-dev/usr/share/lintian/overrides/swift-keychain-dev"
    control control-dev swift-keychain-dev all
    archive swift-keychain-dev all
}

make_tarball() {
    local name=swift-keychain-$version-$machine tree
    tree=$work/$name
    mkdir -p "$tree/Scripts"
    programs_into "$tree/bin"
    cp -R Packaging Extensions LICENSE CHANGELOG.md "$tree/"
    cp --parents "${named_pages[@]}" "$tree/"
    rm -r "$tree/Packaging/debian"
    cp Documentation/Installing.md "$tree/README.md"
    cp Scripts/install.sh Scripts/uninstall.sh "$tree/Scripts/"
    bill "$tree" "$work/bill.json"
    cp "$work/bill.json" "$tree/sbom.spdx.json"
    same_dates "$tree"
    tar -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mode=go-w -c "$name" |
        xz --threads=1 "-$([[ $fast == no ]] && echo 6 || echo 0)" >"$output/$name.tar.xz"
    printf '%s\n' "$output/$name.tar.xz"
}

if [[ $kind == tarball ]]; then
    make_tarball
else
    make_package
    make_dev_package
    printf '%s\n' "$output/swift-keychain_$version-1_$architecture.spdx.json"
fi
