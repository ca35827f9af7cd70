#!/usr/bin/env bash
# Shows that nothing is lost on the way out of plain text. In a temporary directory it makes a home
# with logins of many tools and a real gnome-keyring on a private bus, migrates them, backs up,
# restores in another home, has the tools use the secrets there, and undoes everything in both.
# Exit status 0 only if every step held.
#
# Usage: Scripts/way-out.sh [--bin DIRECTORY] [ARGUMENT…]
# Without --bin it builds in release mode; the arguments go to `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts=$PWD/Scripts

packages=(curl dbus-daemon git gnome-keyring libglib2.0-bin libsecret-tools postgresql-client python3 twine)
commands=(curl dbus-daemon git gnome-keyring-daemon gdbus secret-tool psql python3 twine)

# Installs what is missing; npm and aws are used if they are there.
install_tools() {
    local command missing=no
    for command in "${commands[@]}"; do
        command -v "$command" >/dev/null || missing=yes
    done
    [[ $missing == no ]] && return
    printf 'way-out: installing %s\n' "${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    local root=()
    [[ $(id -u) -eq 0 ]] || root=(sudo -- env "DEBIAN_FRONTEND=$DEBIAN_FRONTEND")
    "${root[@]}" apt-get update -qq </dev/null
    "${root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" </dev/null >/dev/null
}

bin=
if [[ ${1:-} == --bin ]]; then
    bin=$(cd "$2" && pwd)
    shift 2
fi
install_tools

# A bus of its own: everything from here on runs inside, and the bus ends with it.
place=$(mktemp -d)
if [[ -z $bin ]]; then
    Scripts/setup.sh
    for product in keychainctl keychain-migrate; do
        printf 'way-out: building %s; the first time takes a few minutes\n' "$product"
        swift build -c release "$@" --product "$product" >"$place/build" 2>&1 || {
            cat "$place/build"
            exit 1
        }
    done
    bin=$(swift build -c release "$@" --show-bin-path)
fi
processes=()
clean_up() {
    local process
    for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
    rm -rf "$place"
}
trap clean_up EXIT

unset KEYCHAIN_SOCKET KEYCHAIN_ENTITLEMENTS KEYCHAIN_DIAGNOSTICS AWS_PROFILE PGPASSWORD PGPASSFILE
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN TWINE_PASSWORD TWINE_USERNAME
export PATH=$place/links:$bin:$PATH GIT_TERMINAL_PROMPT=0 GIT_CONFIG_NOSYSTEM=1
export XDG_RUNTIME_DIR=$place/run GIT_CONFIG_GLOBAL=$place/gitconfig
export npm_config_cache=$place/npm npm_config_update_notifier=false
mkdir -p "$place"/{run,links,served,first,second,keyring}
chmod 700 "$place/run"
ln -s "$bin/keychainctl" "$place/links/docker-credential-keychain"
output=$place/output
failures=0
steps=0

# verdict TITLE COMMAND…: says whether the command ends with 0.
verdict() {
    local title=$1 mark=ok
    shift
    steps=$((steps + 1))
    if ! "$@" >"$output" 2>&1; then
        mark=FAILED
        failures=$((failures + 1))
    fi
    printf '  %-6s  %s\n' "$mark" "$title"
    [[ $mark == ok ]] || sed 's/^/          /' "$output"
}

# enter HOME: the home that follows is this one, with its own keychain.
enter() {
    export HOME=$place/$1 KEYCHAIN_HOME=$place/$1/keychain
    unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
}

random() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }
for name in git git2 curl env key npm pypi psql aws_key aws_secret docker mail token; do
    declare "$name=$(random)"
done
aws_key=AKIA${aws_key^^}
psql="a:b\\c $psql"

start_server() {
    local expected
    expected=$(
        python3 - "$place/served" "$git" "$curl" "$npm" "$pypi" "$aws_key" "$psql" <<'PYTHON'
import json, sys
served, git, curl, npm, pypi, aws, psql = sys.argv[1:]
print(json.dumps({
    "served": served, "team.git": "ann:" + git, "curl": "bo:" + curl, "npm": npm,
    "legacy": "__token__:" + pypi, "aws": aws, "psql": psql,
}))
PYTHON
    )
    exec {ports}< <(python3 "$scripts/way-out.py" <<<"$expected")
    processes+=($!)
    read -r port pgport <&"$ports"
}

start_keyring() {
    export DBUS_SESSION_BUS_ADDRESS=unix:path=$place/bus
    cat >"$place/bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=$place/bus</listen>
<policy context="default"><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy>
</busconfig>
CONF
    dbus-daemon --config-file="$place/bus.conf" --nofork --print-address >"$place/address" 2>/dev/null &
    processes+=($!)
    while [[ ! -s $place/address ]]; do sleep 0.1; done
    HOME=$place/keyring gnome-keyring-daemon --unlock --components=secrets --foreground <<<'of the keyring' >/dev/null 2>&1 &
    processes+=($!)
    gdbus wait --session --timeout 60 org.freedesktop.secrets
}

# everything: what the keyring holds, without paths and dates. gnome-keyring gives what has no schema
# the general one at times.
everything() {
    {
        secret-tool search --all server mail.example.org user ann
        secret-tool search --all stage live
    } 2>&1 | grep -v -e '^\[' -e '^created' -e '^modified' -e '^schema' | sort
}

# files HOME: digest, mode and name of every file, without the keychain.
files() {
    (cd "$1" && find . -path ./keychain -prune -o -type f -printf '%m %P\n' | sort -k2 |
        while read -r mode name; do printf '%s %s %s\n' "$mode" "$(sha256sum <"$name")" "$name"; done)
}

# traces SECRET…: fails if a file of the home holds one of them in the open.
no_traces() {
    local secret
    for secret in "$@"; do
        if grep -rlaF -e "$secret" "$HOME"; then return 1; fi
    done
}

make_home() {
    mkdir -p "$HOME"/{.aws,.docker,shop,.config/gh}
    printf '# work\nhttp://ann:%s@127.0.0.1:%s/team.git\nhttps://bo:%s@git.example.org\n' \
        "$git" "$port" "$git2" >"$HOME/.git-credentials"
    printf '# hosts\nmachine localhost\n  login bo\n  password %s\n' "$curl" >"$HOME/.netrc"
    printf '# shop\nPORT=3000\nexport DB_PASSWORD="%s" # live\nSIGNING_KEY="-- %s\n$5 a\\tb\n--"\n' \
        "$env" "$key" >"$HOME/shop/.env"
    ln -s shop "$HOME/project"
    printf 'registry=http://localhost:%s/npm/\n//localhost:%s/npm/:_authToken=%s\n' \
        "$port" "$port" "$npm" >"$HOME/.npmrc"
    printf '[distutils]\nindex-servers = way-out\n\n[way-out]\nrepository = http://localhost:%s/legacy/\nusername = __token__\npassword = %s\n' \
        "$port" "$pypi" >"$HOME/.pypirc"
    printf '# databases\n127.0.0.1:%s:shop:ann:%s\n' "$pgport" \
        "$(sed 's/[\\:]/\\&/g' <<<"$psql")" >"$HOME/.pgpass"
    printf '[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n' \
        "$aws_key" "$aws_secret" >"$HOME/.aws/credentials"
    printf '{\n\t"auths": {\n\t\t"registry.example.org": {\n\t\t\t"auth": "%s"\n\t\t}\n\t}\n}\n' \
        "$(printf 'ann:%s' "$docker" | base64)" >"$HOME/.docker/config.json"
    printf 'github.com:\n    oauth_token: %s\n' "$token" >"$HOME/.config/gh/hosts.yml"
    find "$HOME" -type f -exec chmod 600 {} +
    chmod 640 "$HOME/shop/.env"
    local word
    printf %s "$mail" | secret-tool store --label mail xdg:schema org.gnome.keyring.NetworkPassword \
        server mail.example.org user ann
    printf %s "wider $mail" | secret-tool store --label wider xdg:schema org.example.App \
        server mail.example.org user ann object inbox
    printf 'one\n[9]\nlabel = x\n%s' "$token" | secret-tool store --label token stage live
}

make_repository() {
    git -c init.defaultBranch=main init -q "$place/work"
    git -C "$place/work" -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first
    git clone -q --bare "$place/work" "$place/served/team.git"
    git -C "$place/served/team.git" update-server-info
}

make_package() {
    mkdir -p "$place/package/way_out-1"
    printf 'Metadata-Version: 2.1\nName: way-out\nVersion: 1\n' >"$place/package/way_out-1/PKG-INFO"
    tar -C "$place/package" -czf "$place/package/way-out-1.tar.gz" way_out-1
}

named=(.git-credentials .netrc shop/.env .npmrc .pypirc .pgpass .aws/credentials .docker/config.json)

# recipe TOOL: what the command said that the tool gets its secret from, up to its own arguments.
recipe() { sed -n "s/^keychainctl: $1 gets it from: \(.*\) …\$/\1/p" "$place/advice" | head -1; }

# says TEXT COMMAND…: whether the command prints that text.
says() {
    local expected=$1 found
    shift
    found=$("$@") || return
    [[ $found == "$expected" ]] || { printf 'it printed something else\n'; return 1; }
}

fails() { ! "$@"; }

use_env() {
    local words
    words=$(sed -n 's/^keychainctl: commands get them from: \(.*\) COMMAND$/\1/p' "$place/advice" | head -1)
    says "$env" bash -c "$words printenv DB_PASSWORD"
}

use_npm() {
    if command -v npm >/dev/null; then
        says ann bash -c "$(recipe npm) whoami"
    else
        says "$npm" bash -c "$(recipe npm | sed 's/ npm$//') printenv $(recipe npm | cut -d= -f1)"
    fi
}

use_aws() {
    if command -v aws >/dev/null; then
        says arn:aws:iam::1:user/ann keychainctl env aws:default -- aws sts get-caller-identity \
            --endpoint-url "http://127.0.0.1:$port/aws" --region eu-central-1 --query Arn --output text
    fi
    says "$aws_secret" keychainctl env aws:default -- printenv AWS_SECRET_ACCESS_KEY
}

use_docker() {
    docker-credential-keychain get <<<registry.example.org | grep -qF "\"$docker\""
}

use_curl() {
    says 'curl was let in' \
        bash -c "curl -sSf --netrc-file <(keychainctl netrc localhost) http://localhost:$port/curl/"
}

use_twine() { bash -c "$(recipe twine) --disable-progress-bar -r way-out $place/package/way-out-1.tar.gz"; }

use_psql() { bash -c "$(recipe psql) -h 127.0.0.1 -p $pgport -U ann -w -d shop -c ''"; }

# reject: git is let in by another password than the stored one, and docker's and npm's stay.
reject() {
    local at_host=$'protocol=http\nhost=127.0.0.1:'$port$'\n' before
    before=$(count_items)
    printf '%susername=ann\npassword=other\n\n' "$at_host" | keychainctl git-credential erase
    says "$before" count_items
}

use_git() {
    rm -rf "$place/clone"
    git -c credential.helper='!keychainctl git-credential' clone -q "http://127.0.0.1:$port/team.git" \
        "$place/clone"
}

use_all() {
    verdict 'git clones' use_git
    verdict 'a password that git never got is not what it rejects' reject
    verdict 'curl is let in by a netrc file that is never on the disk' use_curl
    verdict 'a command gets what was in shop/.env' says "$env" keychainctl env shop -- printenv DB_PASSWORD
    verdict 'with the very words that migrate printed' use_env
    verdict 'npm says who it is' use_npm
    verdict 'twine uploads' use_twine
    verdict 'psql logs in' use_psql
    verdict 'aws gets both keys' use_aws
    verdict 'docker gets its login' use_docker
    verdict 'what was in gnome-keyring is found' says "$mail" \
        keychainctl find-internet-password -s mail.example.org -a ann -w
}

migrate_all() {
    (cd "$HOME" && keychainctl migrate "${named[@]}") >"$place/report" 2>"$place/advice"
    keychainctl migrate --from secret-service >>"$place/report" 2>>"$place/advice"
    fails grep -v -e '^FROM' -e ' moved$' -e ' kept: ' "$place/report"
}

back_up() {
    keychainctl backup "$place/backup" <<<'tundra velvet orbit mango 7' >"$place/backed-up" 2>"$place/warnings"
}

same() { diff <(printf '%s\n' "$1") <(printf '%s\n' "$2"); }

count_items() { keychainctl dump-keychain --json | grep -c '"class"'; }

# ---------------------------------------------------------------------------------------------
enter first
start_server
start_keyring
make_home
make_repository
make_package
original=$(files "$HOME")
original_keyring=$(everything)
secrets=("$git" "$git2" "$curl" "$env" "$key" "$npm" "$pypi" "$aws_secret" "$docker" "$mail")

printf '\nA home with %s files, and a keyring\n' "$(wc -l <<<"$original")"
verdict 'a dry run lists them' bash -c "cd '$HOME' && keychainctl migrate --dry-run ${named[*]} 2>'$place/plan'"
verdict 'and makes no keychain' test ! -e "$KEYCHAIN_HOME"
verdict 'nor changes a file' same "$original" "$(files "$HOME")"
verdict "gh's file is seen, and not handled" \
    bash -c "keychainctl migrate --dry-run | grep -q 'hosts.yml.*found, not migrated'"

printf '\nMigrated\n'
verdict 'every secret has moved' migrate_all
verdict 'the command said before that all of them travel' grep -q 'carries all of them' "$place/advice"
verdict 'it said what the dry run said' bash -c \
    "diff <(grep -v -e ': note: ' -e ' no longer find these items' -e 'secret-service' -e ' to move: ' -e Backups '$place/advice') \
        <(grep -v -e ' to move: ' -e Backups '$place/plan')"
verdict 'no file of the home holds one of them' no_traces "${secrets[@]}"
verdict 'another program keeps its item with the same server and user' \
    says "wider $mail" secret-tool lookup server mail.example.org user ann object inbox
verdict 'git is not let in without the keychain' fails git -c credential.helper=store clone -q \
    "http://127.0.0.1:$port/team.git" "$place/refused"
use_all

printf '\nBacked up, and restored in another home\n'
verdict 'the backup is made' back_up
verdict 'it does not warn: everything travels' test ! -s "$place/warnings"
items=$(count_items)
rest=$(files "$HOME")
tar -C "$HOME" --exclude=./keychain -cf - . | tar -C "$place/second" -xf -
enter second
verdict 'restore' bash -c "keychainctl restore '$place/backup' <<<'tundra velvet orbit mango 7'"
verdict "all $items items are there" says "$items" count_items
use_all

printf '\nUndone in the second home, without the keyring of the first\n'
verdict 'undo writes the files back' bash -c "cd '$HOME' && keychainctl migrate --undo ${named[*]}"
verdict 'byte for byte, with their modes' same "$original" "$(files "$HOME")"

printf '\nUndone in the first home\n'
enter first
verdict 'until now its files are as the migration left them' same "$rest" "$(files "$HOME")"
verdict 'undo writes a project back by another name of its folder' keychainctl migrate --undo "$HOME/project"
verdict 'undo writes everything back' keychainctl migrate --undo
verdict 'and deletes the items later, if asked' keychainctl migrate --undo --delete-items
verdict 'the files: byte for byte, with their modes' same "$original" "$(files "$HOME")"
verdict 'the keyring: labels, attributes and values' same "$original_keyring" "$(everything)"
verdict 'the keychain is empty again' fails count_items
verdict 'git is let in by its file again' git -c "credential.helper=store --file $HOME/.git-credentials" \
    clone -q "http://127.0.0.1:$port/team.git" "$place/again"

if [[ $failures -gt 0 ]]; then
    printf '\n%s of %s steps failed.\n' "$failures" "$steps"
    exit 1
fi
printf '\nAll %s steps passed: nothing was lost.\n' "$steps"
