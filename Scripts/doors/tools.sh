#!/usr/bin/env bash
# Runs the real programs with secrets that `keychainctl migrate` took out of their files. Each one
# gets its secret back by the very words that migrate printed, and a local server checks it.
#
# Usage: Scripts/doors/tools.sh [--bin DIRECTORY] [--venv DIRECTORY] [TOOL…]
#
# Prints a line for each tool. Exit status 0 only if none failed. Without --bin it uses the debug
# build. Without tools it runs all, and installs what is missing: programs from Debian, and aws,
# twine and keyring from PyPI into the virtual environment [a temporary one]. With tools it skips
# what is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
repository=$PWD

all=(git curl npm psql cargo docker aws twine keyring)
bin="" venv=""
while [[ ${1:-} == --* ]]; do
    case $1 in
        --bin) bin=$(cd "$2" && pwd) ;;
        --venv) mkdir -p "$2" && venv=$(cd "$2" && pwd) ;;
        *) sed -n '5p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
tools=("$@")
installs=no
[[ $# -gt 0 ]] || { tools=("${all[@]}"); installs=yes; }
bin=${bin:-$(swift build --show-bin-path)}

place=$(mktemp -d /tmp/keychain-tools-XXXXXX)
processes=()
clean_up() {
    local process
    # A test that starts this script may block SIGTERM, and what it starts inherits that.
    for process in "${processes[@]}"; do kill -KILL "$process" 2>/dev/null || true; done
    rm -rf "$place"
}
trap clean_up EXIT
venv=${venv:-$place/venv}

# rustup finds its toolchains from the home directory, which changes below.
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
unset KEYCHAIN_SOCKET KEYCHAIN_ENTITLEMENTS KEYCHAIN_DIAGNOSTICS KEYCHAIN_UNLOCK_WITH PGPASSWORD PGPASSFILE
unset AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_CONFIG_FILE
unset TWINE_PASSWORD TWINE_USERNAME CARGO_HOME DOCKER_CONFIG XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
export PATH=$place/links:$bin:$venv/bin:$PATH KEYCHAIN_PROMPT=none
export XDG_RUNTIME_DIR=$place/run GIT_TERMINAL_PROMPT=0 GIT_CONFIG_NOSYSTEM=1
export npm_config_cache=$place/npm npm_config_update_notifier=false PYTHONDONTWRITEBYTECODE=1
mkdir -p "$place"/{run,links,served}
chmod 700 "$place/run"

install_missing() {
    local packages=() root=() pair
    export DEBIAN_FRONTEND=noninteractive
    for pair in git:git curl:curl npm:npm psql:postgresql-client docker:docker.io; do
        command -v "${pair%%:*}" >/dev/null || packages+=("${pair#*:}")
    done
    if [[ ${#packages[@]} -gt 0 ]]; then
        [[ $(id -u) -eq 0 ]] || root=(sudo -- env "DEBIAN_FRONTEND=$DEBIAN_FRONTEND")
        "${root[@]}" apt-get update -qq </dev/null
        "${root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" </dev/null >/dev/null
    fi
    [[ -x $venv/bin/python ]] || python3 -m venv "$venv"
    # What pip builds stays out of the repository.
    cp -r "$repository/Integrations/python-keyring" "$place/python-keyring"
    "$venv/bin/pip" install -q --disable-pip-version-check awscli twine "$place/python-keyring[test]"
}

random() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }

# ---------------------------------------------------------------------------------------------
# What a tool's test is made of.

# home NAME: an empty home with a keychain of its own.
home() {
    export HOME=$place/$1 KEYCHAIN_HOME=$place/$1/keychain GIT_CONFIG_GLOBAL=$place/$1/.gitconfig
    mkdir -p "$HOME"
    cd "$HOME"
}

# write FILE: standard input as a file that nobody else can read.
write() {
    mkdir -p "$(dirname "$1")"
    cat >"$1"
    chmod 600 "$1"
}

# migrate FILE SECRET…: moves the secrets, and checks that the file has none of them any more.
migrate() {
    local file=$1 secret
    shift
    keychainctl migrate "$file" 2>"$HOME/advice" >"$HOME/report" || { cat "$HOME/advice"; return 1; }
    for secret in "$@"; do
        ! grep -qF -e "$secret" "$file" || { echo "a secret is still in $file"; return 1; }
    done
}

# advice TOOL WORDS: what stands behind these words in the line about a tool.
advice() {
    local line
    line=$(sed -n "s/^keychainctl: $1 $2: //p" "$HOME/advice" | head -n 1)
    [[ -n $line ]] || { echo "migrate printed nothing about $1" >&2; return 1; }
    printf '%s\n' "$line"
}

# recipe TOOL: the command that migrate printed, up to the tool's own arguments.
recipe() { advice "$1" 'gets \(it\|them\) from' | sed 's/ …$//'; }

# configure TOOL FILE: writes the line that migrate printed under the section that it named.
configure() {
    local mark="^keychainctl: $1 finds\\? .* in $2, under" file=${2/#\~/$HOME}
    section=$(sed -n "s|$mark \(\[[^]]*\]\): .*|\1|p" "$HOME/advice" | head -n 1)
    line=$(sed -n "s|$mark \[[^]]*\]: ||p" "$HOME/advice" | head -n 1)
    [[ -n $section && -n $line ]] || { echo "migrate printed no line for $2"; return 1; }
    touch "$file"
    section=$section line=$line awk '
        { print }
        $0 == ENVIRON["section"] { print ENVIRON["line"]; done = 1 }
        END { if (!done) print ENVIRON["section"] "\n" ENVIRON["line"] }
    ' "$file" >"$file.new"
    mv "$file.new" "$file"
}

says() {
    local expected=$1 found
    shift
    found=$("$@") || return
    [[ $found == "$expected" ]] || { echo "it printed something else"; return 1; }
}

# ---------------------------------------------------------------------------------------------
# ★ Table: for each tool, its version, what its line says, and its test.

version_git() { git --version | cut -d ' ' -f 3; }
about_git='clones from a server that asks for the password'
test_git() {
    write .git-credentials <<<"http://ann:$git@127.0.0.1:$port"
    migrate .git-credentials "$git"
    eval "$(advice git 'finds them after')"
    rm -rf clone && git clone -q "http://127.0.0.1:$port/team.git" clone
    # A password that the server refuses is erased: git stored what worked, so it is still there.
    git -C clone fetch -q
}

version_curl() { curl --version | awk 'NR == 1 { print $2 }'; }
about_curl='reads a netrc file that is never on the disk'
test_curl() {
    write .netrc <<<"machine localhost login bo password $curl"
    migrate .netrc "$curl"
    local words
    words=$(recipe curl)
    says 'curl was let in' bash -c "${words/HOST/localhost} -sSf http://localhost:$port/curl/"
}

version_npm() { npm --version; }
about_npm='says who it is'
test_npm() {
    printf 'registry=http://localhost:%s/npm/\n//localhost:%s/npm/:_authToken=%s\n' "$port" "$port" "$npm" |
        write .npmrc
    migrate .npmrc "$npm"
    says ann bash -c "$(recipe npm) whoami"
}

version_psql() { psql --version | cut -d ' ' -f 3; }
about_psql='logs in'
test_psql() {
    write .pgpass <<<"127.0.0.1:$pgport:shop:ann:$(sed 's/[\\:]/\\&/g' <<<"$psql")"
    migrate .pgpass "$psql"
    bash -c "$(recipe psql) -h 127.0.0.1 -p $pgport -U ann -w -d shop -c ''"
}

version_cargo() { cargo --version | cut -d ' ' -f 2; }
about_cargo='withdraws a crate, with a token from a credential provider'
test_cargo() {
    write .cargo/credentials.toml <<<$'[registries.way-out]\ntoken = "'"$cargo"'"'
    write .cargo/config.toml <<<$'[registries.way-out]\nindex = "sparse+http://127.0.0.1:'"$port"$'/cargo/index/"\n'
    migrate .cargo/credentials.toml "$cargo"
    configure cargo '~/.cargo/config.toml'
    cargo -q yank --registry way-out --version 1.0.0 shop
    # The same item serves a cargo that has no credential providers.
    says "$cargo" keychainctl env cargo:way-out -- printenv CARGO_REGISTRIES_WAY_OUT_TOKEN
}

version_docker() { docker --version | sed 's/.* version \([^,]*\),.*/\1/'; }
about_docker='reads a manifest from a registry that asks for the password'
test_docker() {
    printf '{"auths": {"127.0.0.1:%s": {"auth": "%s"}}}\n' "$tlsport" "$(printf 'ann:%s' "$docker" | base64)" |
        write .docker/config.json
    migrate .docker/config.json "$(printf 'ann:%s' "$docker" | base64)"
    local words link setting
    words=$(sed -n 's/^keychainctl: docker runs //p' advice | head -n 1)
    link=${words%%:*}
    setting=$(grep -o '"credsStore": "[^"]*"' <<<"$words")
    ln -sf "$bin/keychainctl" "$place/links/$link"
    sed -i "s/^{/{$setting, /" .docker/config.json
    docker manifest inspect --insecure "127.0.0.1:$tlsport/team/app:1" | grep -q '"mediaType"'
}

# aws_python: a Python that has the library of the aws on the path; fails if there is none, as where
# aws is one binary.
aws_python() {
    local candidate script
    script=$(command -v aws)
    for candidate in "$venv/bin/python" "$(sed -n '1s/^#! *\(\/[^ ]*\).*/\1/p' "$script" | tr -d '\0')" python3; do
        [[ -n $candidate ]] && command -v "$candidate" >/dev/null || continue
        "$candidate" -c 'import importlib.util as u, sys
sys.exit(not (u.find_spec("awscli") or u.find_spec("botocore")))' 2>/dev/null || continue
        printf '%s\n' "$candidate"
        return
    done
    return 1
}

version_aws() { aws --version 2>&1 | sed 's/^aws-cli.\([^ ]*\) .*/\1/'; }
about_aws='signs a request with keys from its credential_process'
test_aws() {
    printf '[default]\nregion = eu-central-1\n\n[shop team]\naws_access_key_id = %s\naws_secret_access_key = %s\naws_session_token = %s\n' \
        "$aws_key" "$aws_secret" "$aws_token" | write .aws/credentials
    migrate .aws/credentials "$aws_key" "$aws_secret" "$aws_token"
    configure "AWS's tools" '~/.aws/config'
    local words=(--profile 'shop team')
    says arn:aws:iam::1:user/ann aws sts get-caller-identity "${words[@]}" \
        --endpoint-url "http://127.0.0.1:$port/aws" --region eu-central-1 --query Arn --output text
    # The command's library, where the whole of them can be seen; else the program that aws starts.
    local python
    if python=$(aws_python); then
        says "$aws_key $aws_secret $aws_token" "$python" -c '
try:
    from awscli.botocore import session
except ImportError:
    from botocore import session
found = session.Session(profile="shop team").get_credentials().get_frozen_credentials()
print(found.access_key, found.secret_key, found.token)
'
    else
        keychainctl aws-credentials 'shop team' >given
        for word in "$aws_key" "$aws_secret" "$aws_token"; do grep -qF -e "$word" given; done
    fi
    # Nobody reads them over a shoulder: on a terminal the command refuses.
    if script -qec "keychainctl aws-credentials 'shop team'" /dev/null >screen; then return 1; fi
    grep -q 'add --show' screen || return 1
    if grep -qF -e "$aws_secret" screen; then return 1; fi
}

version_twine() { twine --version | sed -n 's/^twine version \([^ ]*\).*/\1/p'; }
about_twine='uploads: by the recipe, and then with the password from keyring'
test_twine() {
    printf '[distutils]\nindex-servers = way-out\n\n[way-out]\nrepository = http://localhost:%s/legacy/\nusername = __token__\npassword = %s\n' \
        "$port" "$pypi" | write .pypirc
    migrate .pypirc "$pypi"
    mkdir -p way_out-1
    printf 'Metadata-Version: 2.1\nName: way-out\nVersion: 1\n' >way_out-1/PKG-INFO
    tar -czf way-out-1.tar.gz way_out-1
    bash -c "$(recipe twine) --disable-progress-bar -r way-out way-out-1.tar.gz"
    has_backend || return 0
    local url=http://localhost:$port/legacy/
    printf %s "$pypi" | "$venv/bin/keyring" set "$url" __token__
    says "$pypi" keychainctl find-generic-password -s "$url" -a __token__ -w
    "$venv/bin/twine" upload --non-interactive --disable-progress-bar --repository-url "$url" -u __token__ \
        way-out-1.tar.gz
}

version_keyring() { "$venv/bin/pip" list 2>/dev/null | awk '$1 == "keyring" { print $2 }'; }
about_keyring="passes its own tests, and the backend's"
test_keyring() {
    "$venv/bin/python" -m pytest -q -p no:cacheprovider "$repository/Integrations/python-keyring/tests"
}

has_backend() { "$venv/bin/python" -c 'import keychain_keyring, pytest' 2>/dev/null; }

# why_skipped TOOL: empty if the tool can be tried.
why_skipped() {
    case $1 in
        keyring) has_backend || echo 'there is no virtual environment with it; --venv names one' ;;
        cargo)
            command -v cargo >/dev/null || { echo 'it is not installed'; return; }
            [[ $(printf '%s\n' 1.74 "$(version_cargo)" | sort -V | head -n 1) == 1.74 ]] ||
                echo 'before 1.74, cargo has no credential providers'
            ;;
        *) command -v "$1" >/dev/null || echo 'it is not installed' ;;
    esac
}

# ---------------------------------------------------------------------------------------------

for name in git curl npm pypi psql cargo docker aws_key aws_secret aws_token; do
    declare "$name=$(random)"
done
aws_key=AKIA${aws_key^^}
aws_secret=$aws_secret/+=
psql="a:b\\c $psql"

start_server() {
    local expected
    expected=$(
        python3 - "$place/served" "$git" "$curl" "$npm" "$pypi" "$aws_key" "$psql" "$cargo" "$docker" <<'PYTHON'
import json, os, sys
served, git, curl, npm, pypi, aws, psql, cargo, docker = sys.argv[1:]
print(json.dumps({
    "served": served, "team.git": "ann:" + git, "curl": "bo:" + curl, "npm": npm, "cargo": cargo,
    "legacy": "__token__:" + pypi, "aws": aws, "psql": psql, "v2": "ann:" + docker,
    **({"certificate": served + ".pem"} if os.path.exists(served + ".pem") else {}),
}))
PYTHON
    )
    exec {ports}< <(exec python3 "$repository/Scripts/way-out.py" <<<"$expected")
    processes+=($!)
    read -r port pgport tlsport <&"$ports"
}

# Docker speaks to a registry on this machine by TLS alone.
make_certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 \
        -keyout "$place/key" -out "$place/served.pem" 2>/dev/null
    cat "$place/key" >>"$place/served.pem"
}

make_repository() {
    git -c init.defaultBranch=main init -q "$place/work"
    git -C "$place/work" -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first
    git clone -q --bare "$place/work" "$place/served/team.git"
    git -C "$place/served/team.git" update-server-info
}

[[ $installs == no ]] || install_missing
[[ " ${tools[*]} " != *' docker '* ]] || make_certificate
start_server
[[ " ${tools[*]} " != *' git '* ]] || make_repository

status=0
for tool in "${tools[@]}"; do
    [[ " ${all[*]} " == *" $tool "* ]] || { echo "tools.sh: there is no test of $tool" >&2; exit 2; }
    reason=$(why_skipped "$tool")
    if [[ -n $reason ]]; then
        printf '%-8s skipped  %s\n' "$tool" "$reason"
        continue
    fi
    about=about_$tool
    words="$(version_"$tool"): ${!about}"
    # Not as the condition of an `if`: there, bash goes on after a command that fails.
    set +e
    (set -e; home "$tool"; "test_$tool") >"$place/output" 2>&1 </dev/null
    code=$?
    set -e
    if [[ $code -eq 0 ]]; then
        printf '%-8s ok       %s\n' "$tool" "$words"
    else
        printf '%-8s FAILED   %s\n' "$tool" "$words"
        sed 's/^/                  /' "$place/output"
        status=1
    fi
done
exit "$status"
