#!/usr/bin/env bash
# Has real browsers fill in forms through `keychain-browser` and the extension in Extensions/browser.
# All sites are served by this machine, behind a proxy. A program presses the extension's button by
# the browser's own automation, and reads the fields.
#
# Usage: Scripts/doors/browsers.sh [--bin DIRECTORY] [--pictures DIRECTORY] [BROWSER…]
#
# BROWSER is firefox or chromium. Prints a line for each check; exit status 0 only if none failed.
# Without --bin it uses the debug build. Without browsers it runs both, and installs what is missing
# from Debian. With browsers it skips what is missing. --pictures keeps a picture of a filled form.
set -euo pipefail
cd "$(dirname "$0")/../.."
repository=$PWD

all=(firefox chromium)
bin='' pictures=''
while [[ ${1:-} == --* ]]; do
    case $1 in
        --bin) bin=$(cd "$2" && pwd) ;;
        --pictures) mkdir -p "$2" && pictures=$(cd "$2" && pwd) ;;
        *) sed -n '6p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
browsers=("$@")
installs=no
[[ $# -gt 0 ]] || { browsers=("${all[@]}"); installs=yes; }
bin=${bin:-$(swift build --show-bin-path)}

place=$(mktemp -d /tmp/keychain-browsers-XXXXXX)
trap 'rm -rf "$place" 2>/dev/null || { sleep 1; rm -rf "$place"; }' EXIT

program() { case $1 in firefox) echo firefox-esr ;; *) echo "$1" ;; esac; }

if [[ $installs == yes ]]; then
    packages=() root=()
    for browser in "${browsers[@]}"; do
        command -v "$(program "$browser")" >/dev/null || packages+=("$(program "$browser")")
    done
    if [[ ${#packages[@]} -gt 0 ]]; then
        [[ $(id -u) -eq 0 ]] || root=(sudo -- env)
        "${root[@]}" apt-get update -qq </dev/null
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            "${packages[@]}" fonts-dejavu-core </dev/null >/dev/null
    fi
fi

unset KEYCHAIN_SOCKET KEYCHAIN_ENTITLEMENTS KEYCHAIN_DIAGNOSTICS KEYCHAIN_UNLOCK_WITH KEYCHAIN_PROMPT
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
export PATH=$bin:$PATH PYTHONDONTWRITEBYTECODE=1 TRIAL_PASSCODE='otter maps quiet lemon river bolt'
export XDG_RUNTIME_DIR=$place/run
mkdir -m 700 "$place/run"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=shop.example \
    -keyout "$place/key.pem" -out "$place/certificate.pem" 2>/dev/null
cat "$place/key.pem" >>"$place/certificate.pem"

# The prompt's dialog; it answers as the trial says.
printf '#!/bin/sh\nexec python3 %q pinentry %q\n' "$repository/Scripts/doors/browsers.py" "$place" \
    >"$place/pinentry"
chmod +x "$place/pinentry"
export KEYCHAIN_PINENTRY=$place/pinentry
printf passcode >"$place/pinentry-word"

# add SERVER ACCOUNT PASSWORD [OPTION…]
add() {
    local server=$1 account=$2 password=$3
    shift 3
    printf '%s\n' "$password" |
        keychainctl add-internet-password -s "$server" -a "$account" -r htps "$@" 2>/dev/null
}

status=0
for browser in "${browsers[@]}"; do
    if ! command -v "$(program "$browser")" >/dev/null; then
        printf '%-8s skipped  %s is not installed\n' "$browser" "$(program "$browser")"
        continue
    fi
    export HOME=$place/$browser.home KEYCHAIN_HOME=$place/$browser.keychain
    mkdir "$HOME"
    add shop.example ann@shop.example 'correct horse'
    add pay.bank-of-tests.com erin 'other password'
    add www.bank-of-tests.com carol 'domain password'
    add two.example bob@shop.example 'battery staple'
    add two.example ann@shop.example 'second site'
    keychainctl passcode set <<<"$TRIAL_PASSCODE" >/dev/null
    keychainctl unlock-keychain <<<"$TRIAL_PASSCODE" >/dev/null
    add guarded.example dora 'guarded password' --require userPresence
    keychain-browser install "$browser" >/dev/null
    picture=${pictures:-$place}/autofill-$browser.png
    timeout 300 python3 Scripts/doors/browsers.py "$browser" "$place" "$repository/Extensions/browser" \
        "$picture" || status=1
done
exit "$status"
