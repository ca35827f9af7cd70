#!/usr/bin/env bash
# Tries the PKCS #11 library with real programs; prints one line for each.
set -uo pipefail
cd "$(dirname "$0")/../.."

usage() {
    cat <<'END'
usage: Scripts/doors/pkcs11.sh [--bin DIR] [--open] [--sanitized DIR] [CLIENT…]

Tries libkeychain-pkcs11.so with pkcs11-tool, p11tool, OpenSSL, curl, ssh and NSS, in a keychain of
its own, uses it from many threads and forked children at once, and counts signatures per second
beside SoftHSM2.

  --bin DIR        the library and the programs of the keychain [.build/debug]
  --open           a keychain without a passcode: nobody logs in
  --sanitized DIR  a library that was built with --sanitize=thread, for the client sanitizer
  CLIENT           pkcs11-tool, p11tool, openssl, curl, ssh, nss, p11-kit, stress, sanitizer or speed [all];
                   those from p11tool to nss need the keys that pkcs11-tool makes before

Packages: curl gnutls-bin libengine-pkcs11-openssl libnss3-tools opensc openssh-client openssh-server
openssl softhsm2
END
}

bin=.build/debug sanitized='' passcode=correct-horse
while [[ ${1:-} == -* ]]; do
    case $1 in
        --bin) bin=${2:?--bin needs a directory}; shift ;;
        --open) passcode='' ;;
        --sanitized) sanitized=$(realpath "${2:?--sanitized needs a directory}"); shift ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
all=(pkcs11-tool p11tool openssl curl ssh nss p11-kit stress sanitizer speed)
clients=("$@")
[[ $# -gt 0 ]] || clients=("${all[@]}")
[[ -f $bin/libkeychain-pkcs11.so ]] || {
    printf '%s has no libkeychain-pkcs11.so: run KEYCHAIN_PKCS11=1 swift build\n' "$bin" >&2
    exit 1
}
bin=$(realpath "$bin")
packaging=$(realpath Packaging)
client=$(realpath Tools/PKCS11Client)
scratch=$(mktemp -d)
finish() {
    local process
    # A test that starts this script may block SIGTERM, and what it starts inherits that.
    for process in $(cat "$scratch/processes" 2>/dev/null); do kill -KILL "$process" 2>/dev/null; done
    rm -rf "$scratch"
}
trap finish EXIT
cd "$scratch" || exit 1
mkdir -m 0700 home modules lib
cp "$bin/libkeychain-pkcs11.so" "$packaging/pkcs11/libkeychain-pkcs11.so.entitlements" lib/
library=$scratch/lib/libkeychain-pkcs11.so
export HOME=$scratch KEYCHAIN_HOME=$scratch/home KEYCHAIN_SOCKET='' KEYCHAIN_PROMPT=none
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}
failures=0

# try NAME FUNCTION: runs it, and prints the last line that it wrote.
try() {
    local name=$1 output
    shift
    if ! command -v "${needs:-sh}" >/dev/null; then
        printf '%-34s skipped: %s is not installed\n' "$name" "$needs"
    elif output=$("$@" 2>&1 </dev/null); then
        printf '%-34s ok      %s\n' "$name" "$(tail -n 1 <<<"$output")"
    else
        printf '%-34s FAILED  %s\n' "$name" "$(tail -n 3 <<<"$output" | tr '\n' ' ')"
        failures=$((failures + 1))
    fi
}

login=() gnutls_login=()
if [[ -n $passcode ]]; then
    login=(--login --pin "$passcode")
    gnutls_login=(--login --set-pin "$passcode")
fi
tool() { timeout 60 pkcs11-tool --module "$library" "$@"; }
keychainctl() { "$bin/keychainctl" "$@"; }

make_keys() {
    if [[ -n $passcode ]]; then
        printf '%s\n%s\n' "$passcode" "$passcode" | keychainctl passcode set >/dev/null || return 1
    fi
    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj '/CN=ca' -days 2 &&
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout client.key \
            -out client.csr -subj '/CN=client' &&
        openssl x509 -req -in client.csr -CA ca.pem -CAkey ca.key -out client.pem -days 2 &&
        openssl pkcs12 -export -in client.pem -inkey client.key -name client -passout pass:x \
            -out client.p12 &&
        keychainctl import client.p12 -P x &&
        openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj '/CN=localhost' &&
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -out server.pem -days 2 \
            -extfile <(printf 'subjectAltName=DNS:localhost') && printf 'made\n'
}

tool_test() {
    tool "${login[@]}" --keypairgen --key-type rsa:2048 --label rsa --id 10 &&
        tool "${login[@]}" --keypairgen --key-type EC:prime256v1 --label ec --id 11 &&
        tool "${login[@]}" --test && tool "${login[@]}" -O | grep -c Object
}

tool_sign() {
    printf message >message && openssl dgst -sha256 -binary message >digest &&
        tool "${login[@]}" --sign -m ECDSA --id 11 -i digest -o signature \
            --signature-format openssl &&
        tool --read-object --type pubkey --id 11 -o public.der &&
        openssl pkey -pubin -inform DER -in public.der -out public.pem &&
        openssl dgst -sha256 -verify public.pem -signature signature message
}

# The same secret on both sides.
tool_derive() {
    openssl ecparam -name prime256v1 -genkey -noout -out other.key &&
        openssl pkey -in other.key -pubout -outform DER -out other.der &&
        tool "${login[@]}" --derive -m ECDH1-DERIVE --id 11 -i other.der -o secret1 &&
        openssl pkeyutl -derive -inkey other.key -peerkey public.pem -out secret2 &&
        cmp secret1 secret2 && printf 'the same secret\n'
}

wrong_pin() {
    keychainctl lock-keychain &&
        ! tool -O --type privkey | grep Private &&
        { tool --login --pin wrong -O 2>&1 || true; } | grep CKR_PIN_INCORRECT &&
        tool --login --pin "$passcode" -O --type privkey | grep Private &&
        printf 'locked: none; wrong PIN: CKR_PIN_INCORRECT\n'
}

gnutls_list() {
    p11tool --provider "$library" "${gnutls_login[@]}" --list-all 'pkcs11:token=keychain' |
        grep -c Object
}

gnutls_sign() {
    p11tool --provider "$library" "${gnutls_login[@]}" --test-sign \
        'pkcs11:token=keychain;object=rsa;type=private'
}

write_openssl_configuration() {
    cat >openssl.cnf <<END
openssl_conf = main
[main]
engines = engines
[engines]
pkcs11 = pkcs11
[pkcs11]
engine_id = pkcs11
MODULE_PATH = $library
${passcode:+PIN = $passcode}
init = 0
END
}

engine_sign() {
    write_openssl_configuration
    OPENSSL_CONF=$scratch/openssl.cnf timeout 20 openssl dgst -engine pkcs11 -keyform engine -sha256 \
        -sign 'pkcs11:token=keychain;object=ec;type=private' -out signature message &&
        openssl dgst -sha256 -verify public.pem -signature signature message
}

# libp11 gives a token up at the first key whose type it does not know.
engine_beside() {
    keychainctl ssh generate --type ed25519 -C beside && engine_sign &&
        tool "${login[@]}" --keypairgen --key-type EC:edwards25519 --label edwards --id 12 &&
        engine_sign && p11tool --provider "$library" "${gnutls_login[@]}" --list-all \
        'pkcs11:token=keychain;object=edwards' | grep -c edwards
}

# The label of a PKCS #12 file names certificate and key.
one_label() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout nick.key \
        -out nick.pem -subj '/CN=somebody' -days 2 &&
        openssl pkcs12 -export -in nick.pem -inkey nick.key -name nickname -passout pass:x \
            -out nick.p12 && keychainctl import nick.p12 -P x &&
        [[ $(p11tool --provider "$library" "${gnutls_login[@]}" --list-all \
            'pkcs11:token=keychain;object=nickname' | grep -c '^Object') -eq 2 ]] &&
        printf 'certificate and key\n'
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# wait_for PORT: until somebody listens there, 5 seconds at most.
wait_for() {
    local attempt
    for attempt in {1..50}; do
        (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
        sleep 0.1
    done
    return 1
}

curl_client_certificate() {
    local port
    port=$(free_port)
    write_openssl_configuration
    openssl s_server -accept "$port" -cert server.pem -key server.key -CAfile ca.pem -Verify 1 \
        -verify_return_error -www -quiet >server.log 2>&1 &
    echo $! >>"$scratch/processes"
    wait_for "$port" || return 1
    OPENSSL_CONF=$scratch/openssl.cnf curl -sS --max-time 20 --cacert ca.pem --engine pkcs11 \
        --key-type ENG --key 'pkcs11:token=keychain;object=client;type=private' --cert client.pem \
        "https://localhost:$port/" >page && grep -o 'CN *= *client' page
}

ssh_keys() { timeout 20 ssh-keygen -D "$library" | tee keys.pub | grep -c .; }

ssh_login() {
    local port
    [[ $(id -u) -eq 0 ]] || { printf 'only root can run a server here\n'; return 1; }
    port=$(free_port)
    mkdir -p /run/sshd .ssh && chmod 700 .ssh
    ssh-keygen -q -t ed25519 -N '' -f host_key
    grep -v '^#' keys.pub >authorized_keys
    chmod 755 "$scratch"
    chmod 600 authorized_keys
    /usr/sbin/sshd -D -e -p "$port" -f /dev/null -h "$scratch/host_key" -o PidFile=none \
        -o "AuthorizedKeysFile=$scratch/authorized_keys" -o StrictModes=no -o UsePAM=no \
        -o PasswordAuthentication=no -o ListenAddress=127.0.0.1 >sshd.log 2>&1 &
    echo $! >>"$scratch/processes"
    wait_for "$port" || { tail -n 3 sshd.log; return 1; }
    # The program of sshd for PKCS #11 gets the variables of ssh.
    timeout 20 ssh -F none -I "$library" -p "$port" -o BatchMode=yes -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile=/dev/null -o IdentityAgent=none \
        -o PreferredAuthentications=publickey root@127.0.0.1 'printf "logged in\n"' 2>ssh.log ||
        { tail -n 3 ssh.log sshd.log; return 1; }
}

nss() {
    mkdir -p nss && printf '%s\n' "$passcode" >pin && : >nopin &&
        certutil -N -d "sql:$scratch/nss" --empty-password &&
        modutil -force -dbdir "sql:$scratch/nss" -add keychain -libfile "$library" &&
        certutil -L -d "sql:$scratch/nss" -h keychain -f pin | tee nss.list && grep -q client nss.list &&
        certutil -K -d "sql:$scratch/nss" -h keychain -f pin | grep -c '^<' &&
        head -c 64 /dev/urandom >noise &&
        certutil -S -d "sql:$scratch/nss" -h keychain -f pin -n made -s 'CN=made by NSS' -x \
            -t ,, -z noise -k ec -q nistp256 -m 4711 &&
        certutil -L -d "sql:$scratch/nss" -h keychain -f pin | grep made
}

# Root's configuration is the machine's, so it gets one of its own.
p11_kit() {
    [[ $(id -u) -eq 0 ]] || { printf 'only root can show it its own configuration\n'; return 1; }
    sed "s|/usr/lib/libkeychain-pkcs11.so|$library|" "$packaging/p11-kit/keychain.module" \
        >modules/keychain.module
    timeout 20 unshare -m bash -c 'mount --bind modules /usr/share/p11-kit/modules && p11-kit list-modules' |
        grep 'token: keychain'
}


# Threads, forks, ends and loadings at the same time.
stress() {
    cc -O2 -o client "$client"/*.c -ldl -lpthread &&
        timeout 120 ./client stress "$library" keychain "${1:-2}"
}

# The same through a daemon whose policy gives every program of the account the group.
stress_daemon() {
    local attempt
    mkdir -p served policies && chmod 700 served
    printf '{"account":"%s","level":"nobody","applicationIdentifier":"stress","accessGroups":["keychain"]}\n' \
        "$(id -un)" >policies/stress.json
    "$bin/keychaind" --user --foreground --state served --policy "$scratch/policies" \
        --socket "$scratch/served/socket" >served.log 2>&1 &
    echo $! >>"$scratch/processes"
    for attempt in {1..50}; do [[ -S served/socket ]] && break; sleep 0.1; done
    KEYCHAIN_SOCKET=$scratch/served/socket stress
}

# The sanitizer cannot see that the runtime sets a global of Swift once: of these it is silent.
stress_sanitized() {
    local swift status=0
    swift=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
    local runtime
    runtime=$(dirname "$(find -L "$swift/lib/clang" -name 'libclang_rt.tsan-x86_64.so' | head -n 1)")
    mkdir -p sanitized && cp "$sanitized/libkeychain-pkcs11.so" lib/*.entitlements sanitized/ &&
        "$swift/bin/clang" -fsanitize=thread -shared-libsan -O1 -g -o sanitized/client "$client"/*.c \
            -Wl,--no-as-needed "-L$swift/lib/swift/linux" -ldispatch -ldl -lpthread \
            "-Wl,-rpath,$runtime,-rpath,$swift/lib/swift/linux" || return 1
    printf 'race:_WZ$\n' >suppressions
    local command
    for command in threads stress; do
        TSAN_OPTIONS="suppressions=$scratch/suppressions exitcode=66 die_after_fork=0" \
            timeout 300 sanitized/client $command "$scratch/sanitized/libkeychain-pkcs11.so" keychain 4 ||
            status=$?
    done
    return "$status"
}

# middle NUMBER NUMBER NUMBER
middle() { printf '%s\n' "$@" | sort -n | sed -n 2p; }

# same_machine KIND TYPE: signatures of a key of TYPE, by turns so that both meet the same machine.
same_machine() {
    local kind=$1 turn soft=/usr/lib/softhsm/libsofthsm2.so ours=() theirs=()
    export SOFTHSM2_CONF=$scratch/softhsm2.conf
    mkdir -p tokens && printf 'directories.tokendir = %s\n' "$scratch/tokens" >softhsm2.conf
    softhsm2-util --show-slots | grep -q 'soft *$' ||
        softhsm2-util --init-token --free --label soft --pin 1234 --so-pin 1234 >/dev/null || return 1
    pkcs11-tool --module $soft --token-label soft --login --pin 1234 --keypairgen \
        --key-type "$2" --label "$kind" --id 21 >/dev/null &&
        tool "${login[@]}" --keypairgen --key-type "$2" --label "speed $kind" --id 21 >/dev/null &&
        cc -O2 -o client "$client"/*.c -ldl -lpthread || return 1
    for turn in 1 2 3; do
        ours+=("$(./client rate "$library" keychain "$kind" ${passcode:+"$passcode"})") &&
            theirs+=("$(./client rate $soft soft "$kind" 1234)") || {
            printf '%s\n' "turn $turn: ${ours[*]} ${theirs[*]}"
            return 1
        }
    done
    printf '%s signatures per second: keychain %s, SoftHSM2 %s\n' "$2" "$(middle "${ours[@]}")" \
        "$(middle "${theirs[@]}")"
}

needs=openssl try 'set-up' make_keys
for name in "${clients[@]}"; do
    case $name in
        pkcs11-tool)
            needs=pkcs11-tool try 'pkcs11-tool --test' tool_test
            needs=pkcs11-tool try 'pkcs11-tool --sign, openssl' tool_sign
            needs=pkcs11-tool try 'pkcs11-tool --derive, openssl' tool_derive
            [[ -z $passcode ]] || needs=pkcs11-tool try 'pkcs11-tool, locked' wrong_pin
            ;;
        p11tool)
            needs=p11tool try 'p11tool --list-all' gnutls_list
            needs=p11tool try 'p11tool --test-sign' gnutls_sign
            ;;
        openssl)
            needs=openssl try 'openssl -engine pkcs11' engine_sign
            needs=p11tool try 'openssl, beside Ed25519' engine_beside
            needs=p11tool try 'p11tool, one label' one_label
            ;;
        curl) needs=curl try 'curl, client certificate' curl_client_certificate ;;
        ssh)
            needs=ssh-keygen try 'ssh-keygen -D' ssh_keys
            needs=/usr/sbin/sshd try 'ssh -I, sshd' ssh_login
            ;;
        nss) needs=certutil try 'NSS certutil, modutil' nss ;;
        p11-kit) needs=p11-kit try 'p11-kit list-modules' p11_kit ;;
        stress)
            needs=cc try 'stress' stress
            needs=cc try 'stress, daemon' stress_daemon
            ;;
        sanitizer) [[ -z $sanitized ]] || try 'stress, ThreadSanitizer' stress_sanitized ;;
        speed)
            needs=softhsm2-util try 'speed, ECDSA' same_machine ec EC:prime256v1
            needs=softhsm2-util try 'speed, RSA' same_machine rsa rsa:2048
            ;;
        *) printf 'pkcs11.sh: there is no client %s\n' "$name" >&2; exit 2 ;;
    esac
done
exit $((failures > 0))
