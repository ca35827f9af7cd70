#!/usr/bin/env bash
# Scripts/try-tarball.sh TARBALL ROOT.tar: runs the programs of a tarball (Scripts/package.sh --tarball) in
# the root file system of another distribution, in place and installed. One line for each step. Needs
# root and systemd-nspawn (Debian: systemd-container). This machine stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'try-tarball: %s\n' "$@" >&2
    exit 1
}

[[ $# -eq 2 && $1 != -* ]] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
[[ $(id -u) -eq 0 ]] || fail "this needs root"
command -v systemd-nspawn >/dev/null || fail "systemd-nspawn is missing: install systemd-container"
tarball=$(realpath "$1") tar=$(realpath "$2")
if [[ ${INSIDE_MOUNTS:-} != yes ]]; then
    exec env INSIDE_MOUNTS=yes unshare --mount "$PWD/Scripts/try-tarball.sh" "$tarball" "$tar"
fi

place=$(mktemp -d)
trap 'umount --recursive --lazy "$place"; rmdir "$place"' EXIT
mount -t tmpfs -o mode=755 none "$place"
root=$place/root
mkdir "$root"
tar -x --same-owner --numeric-owner -f "$tar" -C "$root"
mkdir "$root/unpacked"
tar -x --no-same-owner -f "$tarball" -C "$root/unpacked" --strip-components=1
cat >"$root/trial.sh" <<'END'
#!/usr/bin/env bash
failures=0
step() {
    local expected=$1 title=$2 status=0
    shift 2
    "$@" >/trial.out 2>&1 || status=$?
    if [[ $status -eq $expected ]]; then
        printf '  ok      %s\n' "$title"
    else
        printf '  FAILED  %s: status %s, expected %s\n' "$title" "$status" "$expected"
        sed 's/^/          /' /trial.out
        failures=$((failures + 1))
    fi
}
says() { "${@:2}" >/trial.said 2>&1; grep -qF -- "$1" /trial.said || { cat /trial.said; return 1; }; }
export HOME=/root
cd /unpacked
printf '          %s\n' "$(. /etc/os-release && printf '%s' "$PRETTY_NAME"), $(ldd --version 2>&1 | head -n 1)"
step 0 'there is no Swift' sh -c '! command -v swift'
step 0 'every file is the one of the list' sh -c 'sed -n "s/.*\"fileName\": \"\(.*\)\".*/\1/p" sbom.spdx.json | while read -r file; do
    grep -q "$(sha256sum "$file" | cut -d" " -f1)" sbom.spdx.json || { echo "$file"; exit 1; }; done'
for program in bin/keychain*; do step 0 "the loader finds all of $program" sh -c "! ldd $program | grep 'not found'"; done
step 0 'store a password in place' sh -c 'printf s3cret | bin/keychainctl add-generic-password -s trial -a ada'
step 0 'find it' says s3cret bin/keychainctl find-generic-password -s trial -a ada -w
step 0 'install' Scripts/install.sh --bin bin /usr/local
step 0 'find it with the installed command' says s3cret keychainctl find-generic-password -s trial -a ada -w
step 0 'pages and completions are there' ls /usr/local/share/man/man1/keychainctl.1 \
    /usr/local/share/man/man8/keychaind.8 /usr/local/share/bash-completion/completions/keychainctl
step 0 'uninstall' Scripts/uninstall.sh /usr/local
step 1 'no program, page or unit is left' sh -c 'find /usr /etc /run -xdev -name "*keychain*" | grep -v "^/etc/keychain" | grep .'
step 0 'the keychain is' test -f /root/.local/share/keychain/keychain.db
printf '%s steps failed\n' "$failures"
END
chmod +x "$root/trial.sh"
systemd-nspawn --quiet --pipe --directory "$root" --register=no --keep-unit /trial.sh 2>"$place/log" | tee "$place/said" ||
    { cat "$place/log"; fail "the trial did not end"; }
[[ $(tail -n 1 "$place/said") == '0 steps failed' ]]
