#!/usr/bin/env bash
# litter.sh before LIST: writes down what is in the checkout and in places that all programs share.
# litter.sh after LIST [FOLDER]: prints what tests left there since, and in FOLDER, which is theirs.
#
# In shared places only names of ours count, and only those that no living process uses: other
# programs, and other checkouts, have theirs there, too. Exit status 1 means that something is left.
set -euo pipefail
cd "$(dirname "$0")/.."

# What the checkout has that git does not know, and our names in shared places.
list() {
    git ls-files --others --exclude-standard | sed 's|^|./|'
    local place
    for place in /tmp /var/tmp /dev/shm /run "/run/user/$(id -u)" /opt; do
        [[ -d $place ]] || continue
        find "$place" -mindepth 1 -maxdepth 1 -user "$(id -u)" -name '*keychain*' 2>/dev/null || true
    done
}

# Whether some process has a file open, or works in a directory.
is_used() {
    [[ $1 != ./* ]] && find /proc/[0-9]*/{fd,cwd,root} -maxdepth 1 -lname "$1*" -print -quit \
        2>/dev/null | grep -q .
}

case ${1:-} in
before) list | sort >"$2" ;;
after)
    left=0
    while read -r name; do
        ! is_used "$name" || continue
        printf 'left behind: %s\n' "$name"
        left=1
    done < <(list | sort | comm -13 "$2" -)
    if [[ -n ${3:-} ]]; then
        # The build's own, and a browser's.
        while read -r name; do
            printf 'left behind: %s\n' "$name"
            left=1
        done < <(find "$3" -mindepth 1 -maxdepth 1 ! -name 'TemporaryDirectory.*' \
            ! -name '*.lock' ! -name 'swift-*' ! -name 'org.chromium.*' | sort)
    fi
    exit "$left"
    ;;
*)
    sed -n '2,6s/^# //p' "$0" >&2
    exit 2
    ;;
esac
