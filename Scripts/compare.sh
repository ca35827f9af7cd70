#!/usr/bin/env bash
# Compares the keychain with others: the same items, the same calls, on the same disk.
#
#     Scripts/compare.sh [--doors] [--bin DIR] [SIZE…]
#
# SIZE is a number of items: 10 1000 10000, if none is given. Builds what it measures, and writes two
# tables into Documentation/Performance.md, between their marks: the keychain embedded in a process
# and its Secret Service beside gnome-keyring; and its doors beside gnome-keyring, OpenSSH's agent and
# SoftHSM2, with their goals. With --doors nothing embedded is measured, and only the second table is
# written. With --bin the programs of DIR are measured, and nothing is built.
#
# Both Secret Services run in a private D-Bus session with an empty home. A C program asks them
# through libsecret. gnome-keyring is unlocked from standard input.
set -euo pipefail
cd "$(dirname "$0")/.."

page=Documentation/Performance.md

fail() {
    printf 'compare: %s\n' "$@" >&2
    exit 1
}

install_missing() {
    local packages=(dbus gcc gnome-keyring libsecret-1-dev libsecret-tools opensc
        openssh-client openssl pkg-config softhsm2 strace) missing
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

# Starts the Secret Service $1 in this D-Bus session; its process id is in $service.
start_service() {
    local tries=0
    while gdbus_has_secrets; do sleep 0.1; done # the one before was killed
    if [[ $1 == gnome-keyring ]]; then
        printf '' | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
    else
        "$bin/keychain-secret-service" >/dev/null &
    fi
    service=$!
    until gdbus_has_secrets; do
        ((++tries < 900)) || fail "$1 does not answer"
        sleep 0.1
    done
}

gdbus_has_secrets() {
    dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>/dev/null |
        grep -q 'boolean true'
}

# How many calls of $1 are measured among $2 items: gnome-keyring takes half a second for a write
# among many.
calls_for() {
    calls=200 writes=20
    [[ $1 != keychain ]] || calls=20
    [[ $1 != gnome-keyring || $2 -lt 5000 ]] || calls=20 writes=5
}

stop() {
    kill -9 "$@" 2>/dev/null || true
    wait "$@" 2>/dev/null || true
}

# Inside a private D-Bus session, which has its own home: prints "name value" lines of service $1.
secret_service_session() {
    local writer
    [[ $1 != gnome-keyring ]] || write_keyring "$2"
    trap 'kill -9 "$service" 2>/dev/null || true' EXIT
    start_service "$1"
    [[ $1 == gnome-keyring ]] || "$work/secret-service" fill "$2"
    calls_for "$1" "$2"
    "$work/secret-service" "$2" "$calls" "$writes" "$service"
    awk '/^VmHWM/ { print "memory", $2 }' "/proc/$service/status"
    strace -f -qq -e trace=fsync,fdatasync -o "$work/syncs" -p "$service" 2>/dev/null &
    local tracer=$!
    sleep 1
    "$work/secret-service" add 4
    kill "$tracer" && wait "$tracer" 2>/dev/null || true
    awk '/sync/ { n++ } END { print "syncs", n / 4 }' "$work/syncs"
    "$work/secret-service" hold >"$work/stored" &
    writer=$!
    until grep -q stored "$work/stored"; do sleep 0.01; done
    stop "$service" "$writer"
    start_service "$1"
    printf 'survives %s\n' "$("$work/secret-service" has 2>/dev/null && echo yes || echo no)"
    stop "$service"
}

# The same in this process's own keychain.
keychain_session() {
    local writer
    "$benchmark" child fill "$1"
    calls_for keychain "$1"
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
        for side in keychain keychain-secret-service gnome-keyring; do
            awk -v size="$size" -v side="$side" '{ value[$1] = $2 } END {
                list = value["listed"] < 0 ? "fails" : sprintf("%.1f", value["list"] / 1000)
                printf "| %d | %s | %.0f | %.0f | %.0f | %s | %.1f | %s | %s |\n", size, side,
                    value["find"], value["add"], value["replace"], list,
                    value["memory"] / 1024, value["syncs"], value["survives"]
            }' "$work/$side.$size"
        done
    done
}

# The doors' table. Goals are for 10,000 items.
doors_table() {
    local size
    echo '| what | items | the door | its processor time | client'"'"'s processor time | beside it | goal | result |'
    echo '|---|---:|---:|---:|---:|---:|---:|---|'
    for size in "${sizes[@]}"; do
        awk -v size="$size" '
            FNR == 1 { side++ }
            { value[side, $1] = $2 }
            function milliseconds(side, key) {
                if (key == "list" && value[side, "listed"] < 0) return "fails"
                return sprintf("%.2f ms", value[side, key] / 1000)
            }
            function row(what, key, goal) {
                result = size < 10000 ? "" : value[1, key] <= goal * 1000 ? "met" : "not met"
                bound = size < 10000 ? "" : sprintf("≤ %.1f ms", goal)
                printf "| %s | %d | %s | %s | %s | gnome-keyring %s | %s | %s |\n", what, size,
                    milliseconds(1, key), milliseconds(1, key "-service"),
                    milliseconds(1, key "-client"), milliseconds(2, key), bound, result
            }
            END {
                row("find with its value", "find", 1.2)
                row("add, durable", "add", 5)
                row("list with attributes", "list", 2000)
            }' "$work/keychain-secret-service.$size" "$work/gnome-keyring.$size"
    done
    awk -v OFS=' | ' '{
        goal = result = ""
        if ($1 == "ssh-agent") {
            goal = "≥ 1 ÷ 1.5 of it"
            result = $3 * 1.5 >= $4 ? "met" : "not met"
        }
        gsub("_", " ", $2)
        gsub("_", " ", $5)
        print "| " $1 ", " $2, "", $3 " per second", "", "", $5 " " $4 " per second", goal, result " |"
    }' "$work/signatures"
}

# Lines of "door signature rate others-rate other".
signatures() {
    Scripts/doors/ssh.sh --speed --seconds 10 --bin "$bin" >"$work/ssh" || true # 1: over the bound
    awk '/^Ed25519/ { ours = $(NF - 1) } /^OpenSSH/ { theirs = $(NF - 1) } END {
        if (!theirs) exit 1
        print "ssh-agent", "Ed25519_signatures", ours, theirs, "OpenSSH" }' "$work/ssh" ||
        fail "the agents did not sign" "$(cat "$work/ssh")"
    Scripts/doors/pkcs11.sh --bin "$bin" speed >"$work/pkcs11" || fail "$(cat "$work/pkcs11")"
    sed -n 's/.* \(EC\|rsa\):.*keychain \([0-9]*\), SoftHSM2 \([0-9]*\)$/PKCS#11 \1_signatures \2 \3 SoftHSM2/p' \
        "$work/pkcs11" | sed 's/ EC_/ ECDSA_P-256_/; s/ rsa_/ RSA-2048_/'
}

# write_page MARK: puts the table of this name between the marks.
write_page() {
    local start="<!-- $1 -->" end="<!-- /$1 -->"
    grep -qF "$start" "$page" && grep -qF "$end" "$page" || fail "$page has no such section"
    awk -v start="$start" -v end="$end" -v table="$work/$1" '
        $0 == end { skipping = 0 }
        !skipping { print }
        $0 == start { skipping = 1; while ((getline line < table) > 0) print line }
    ' "$page" >"$work/page"
    cat "$work/page" >"$page"
}

# Sets $bin, the directory of what is measured.
build() {
    local build=(swift build -c release ${KEYCHAIN_SCRATCH:+--scratch-path "$KEYCHAIN_SCRATCH"}) product
    export KEYCHAIN_PKCS11=1
    local products=(keychain-secret-service keychain-ssh-agent keychainctl keychain-pkcs11)
    [[ $doors_only == yes ]] || products+=(keychain-benchmark)
    for product in "${products[@]}"; do "${build[@]}" --product "$product" >/dev/null; done
    bin=$("${build[@]}" --show-bin-path)
}

# measure SIDE SIZE: a file of "name value" lines.
measure() {
    local home=$work/home.$1.$2
    mkdir -p "$work/run.$2" "$home"
    chmod 700 "$work/run.$2"
    export KEYCHAIN_HOME=$home/keychain KEYCHAIN_SOCKET='' KEYCHAIN_PROMPT=none
    export XDG_RUNTIME_DIR=$work/run.$2
    if [[ $1 == keychain ]]; then
        keychain_session "$2" >"$work/$1.$2"
        return
    fi
    HOME=$home XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config dbus-run-session -- \
        bash "$0" session "$1" "$2" >"$work/$1.$2" 2>"$work/errors" || {
        tail "$work/errors" >&2
        fail "$1 did not finish"
    }
}

main() {
    local doors_only=no bin='' sides=(keychain keychain-secret-service gnome-keyring) side size
    while [[ ${1:-} == -* ]]; do
        case $1 in
            --doors) doors_only=yes sides=(keychain-secret-service gnome-keyring) ;;
            --bin) bin=$(realpath "${2:?--bin needs a directory}"); shift ;;
            *) fail "unknown option $1" ;;
        esac
        shift
    done
    sizes=("$@")
    [[ $# -gt 0 ]] || sizes=(10 1000 10000)
    install_missing
    work=$(mktemp -d /tmp/keychain-compare-XXXXXX)
    trap 'rm -rf "$work"' EXIT
    [[ -n $bin ]] || build
    benchmark=$bin/keychain-benchmark
    read -ra flags < <(pkg-config --cflags --libs libsecret-1)
    gcc -O2 -Wall -Werror Tools/KeychainCompare/secret-service.c -o "$work/secret-service" "${flags[@]}"
    export work bin benchmark
    for size in "${sizes[@]}"; do
        for side in "${sides[@]}"; do
            echo "compare: $side, $size items" >&2
            measure "$side" "$size"
        done
    done
    echo 'compare: signatures' >&2
    signatures >"$work/signatures"
    if [[ $doors_only == no ]]; then
        table | tee "$work/comparison"
        write_page comparison
    fi
    doors_table | tee "$work/doors"
    write_page doors
}

if [[ ${1:-} == session ]]; then
    secret_service_session "$2" "$3"
else
    main "$@"
fi
