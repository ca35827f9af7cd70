#!/usr/bin/env bash
# Compares the keychain with GNOME's Secret Service: the same items, the same calls, on the same disk.
#
#     Scripts/compare.sh [SIZE…]      default: 10 1000 10000; writes the table into
#                                     Documentation/Performance.md, between its marks
#
# gnome-keyring runs in a private D-Bus session with an empty home, is unlocked from standard input
# and asked by a C program through libsecret. The keychain is embedded in a process.
set -euo pipefail
cd "$(dirname "$0")/.."

sizes=("$@")
[[ $# -eq 0 ]] && sizes=(10 1000 10000)
page=Documentation/Performance.md

fail() {
    printf 'compare: %s\n' "$@" >&2
    exit 1
}

install_missing() {
    local packages=(dbus gcc gnome-keyring libsecret-1-dev libsecret-tools pkg-config strace) missing
    mapfile -t missing < <(
        for package in "${packages[@]}"; do
            dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null |
                grep -qx installed || printf '%s\n' "$package"
        done
    )
    [[ ${#missing[@]} -eq 0 ]] && return
    [[ $(id -u) -eq 0 ]] || fail "as root: apt-get install ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq </dev/null
    apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >/dev/null
}

# A keyring of $1 items in the file format that gnome-keyring keeps for an empty password. To store
# them one by one would take hours: every store writes the whole file.
write_keyring() {
    mkdir -p "$XDG_DATA_HOME/keyrings"
    printf 'benchmark' >"$XDG_DATA_HOME/keyrings/default"
    awk -v count="$1" 'BEGIN {
        secret = sprintf("%1024s", ""); gsub(/ /, "v", secret)
        print "[keyring]\ndisplay-name=benchmark\nctime=1\nmtime=1\nlock-on-idle=false\nlock-after=false"
        for (number = 0; number < count; number++) {
            id = number + 1
            printf "\n[%d]\nitem-type=0\ndisplay-name=Example login %d\nsecret=%s\nmtime=1\nctime=1\n", id, number, secret
            attribute(id, 0, "service", "com.example.service." int(number / 100))
            attribute(id, 1, "account", "user-" number "@mail.example.org")
            attribute(id, 2, "set", "benchmark")
            attribute(id, 3, "xdg:schema", "org.example.Login")
        }
    }
    function attribute(id, place, name, value) {
        printf "\n[%d:attribute%d]\nname=%s\ntype=string\nvalue=%s\n", id, place, name, value
    }' >"$XDG_DATA_HOME/keyrings/benchmark.keyring"
    chmod 600 "$XDG_DATA_HOME/keyrings/benchmark.keyring"
}

# Starts the daemon of this D-Bus session with an empty password; its process id is in $daemon.
start_daemon() {
    printf '' | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
    daemon=$!
    local tries=0
    until gdbus_has_secrets; do
        ((++tries < 900)) || fail "gnome-keyring does not answer"
        sleep 0.1
    done
}

gdbus_has_secrets() {
    dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>/dev/null |
        grep -q 'boolean true'
}

# A call to the Secret Service takes seconds where there are many items.
calls_for() {
    calls=20
    [[ $1 -lt 5000 ]] || calls=4
}

stop() {
    kill -9 "$@" 2>/dev/null || true
    wait "$@" 2>/dev/null || true
}

# Inside a private D-Bus session, which has its own home: prints "name value" lines.
secret_service_session() {
    local writer
    write_keyring "$1"
    start_daemon
    calls_for "$1"
    "$work/secret-service" "$1" "$calls"
    awk '/^VmHWM/ { print "memory", $2 }' "/proc/$daemon/status"
    strace -f -qq -e trace=fsync,fdatasync -o "$work/syncs" -p "$daemon" 2>/dev/null &
    local tracer=$!
    sleep 1
    "$work/secret-service" add 4
    kill "$tracer" && wait "$tracer" 2>/dev/null || true
    awk '/sync/ { n++ } END { print "syncs", n / 4 }' "$work/syncs"
    "$work/secret-service" hold >"$work/stored" &
    writer=$!
    until grep -q stored "$work/stored"; do sleep 0.01; done
    stop "$daemon" "$writer"
    start_daemon
    printf 'survives %s\n' "$("$work/secret-service" has 2>/dev/null && echo yes || echo no)"
    stop "$daemon"
}

# The same in this process's own keychain.
keychain_session() {
    local writer
    "$benchmark" child fill "$1"
    calls_for "$1"
    "$benchmark" child compare "$1" "$calls"
    strace -f -qq -e trace=fsync,fdatasync -o "$work/syncs" "$benchmark" child add "$(($1 * 5))" 4
    # The first call opens the database, which is the others' start of the daemon.
    strace -f -qq -e trace=fsync,fdatasync -o "$work/opening" "$benchmark" child exists "$1" 1
    awk -v opening="$(grep -c sync "$work/opening")" \
        '/sync/ { n++ } END { print "syncs", (n - opening) / 4 }' "$work/syncs"
    "$benchmark" child hold >"$work/stored" &
    writer=$!
    until grep -q stored "$work/stored"; do sleep 0.01; done
    stop "$writer"
    printf 'survives %s\n' "$("$benchmark" child has && echo yes || echo no)"
}

# One row of the table for each size and side.
table() {
    echo '| items | side | find µs | add µs | replace µs | list ms | memory MB | syncs per add | survives a kill |'
    echo '|---:|---|---:|---:|---:|---:|---:|---:|---|'
    local size side
    for size in "${sizes[@]}"; do
        for side in keychain secret-service; do
            awk -v size="$size" -v side="$side" '{ value[$1] = $2 } END {
                printf "| %d | %s | %.0f | %.0f | %.0f | %.1f | %.1f | %s | %s |\n", size, side,
                    value["find"], value["add"], value["replace"], value["list"] / 1000,
                    value["memory"] / 1024, value["syncs"], value["survives"]
            }' "$work/$side.$size"
        done
    done
}

write_page() {
    local start='<!-- comparison -->' end='<!-- /comparison -->'
    grep -qF "$start" "$page" && grep -qF "$end" "$page" || fail "$page has no such section"
    awk -v start="$start" -v end="$end" -v table="$work/table" '
        $0 == end { skipping = 0 }
        !skipping { print }
        $0 == start { skipping = 1; while ((getline line < table) > 0) print line }
    ' "$page" >"$work/page"
    cat "$work/page" >"$page"
}

main() {
    install_missing
    work=$(mktemp -d /tmp/keychain-compare-XXXXXX)
    trap 'rm -rf "$work"' EXIT
    build=(swift build -c release ${KEYCHAIN_SCRATCH:+--scratch-path "$KEYCHAIN_SCRATCH"})
    "${build[@]}" --product keychain-benchmark >/dev/null
    benchmark=$("${build[@]}" --show-bin-path)/keychain-benchmark
    read -ra flags < <(pkg-config --cflags --libs libsecret-1)
    gcc -O2 -Wall -Werror Tools/KeychainCompare/secret-service.c -o "$work/secret-service" "${flags[@]}"
    export work benchmark
    for size in "${sizes[@]}"; do
        echo "compare: $size items" >&2
        mkdir -p "$work/run.$size" "$work/home.$size"
        chmod 700 "$work/run.$size"
        KEYCHAIN_HOME=$work/home.$size/keychain XDG_RUNTIME_DIR=$work/run.$size \
            keychain_session "$size" >"$work/keychain.$size"
        HOME=$work/home.$size XDG_DATA_HOME=$work/home.$size/data XDG_RUNTIME_DIR=$work/run.$size \
            XDG_CONFIG_HOME=$work/home.$size/config dbus-run-session -- \
            bash "$0" session "$size" >"$work/secret-service.$size" 2>"$work/errors" || {
            cat "$work/errors" >&2
            fail "the Secret Service's side did not finish"
        }
    done
    table | tee "$work/table"
    write_page
}

if [[ ${1:-} == session ]]; then
    secret_service_session "$2"
else
    main
fi
