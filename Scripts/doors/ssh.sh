#!/usr/bin/env bash
# Scripts/doors/ssh.sh [--bin DIR] [--seconds N] [--speed]: drives keychain-ssh-agent with real SSH
# programs in a temporary directory. Prints one line for each client, and how fast both agents sign;
# with --speed only that. Exits with 1 if a client failed. ssh and sshd need root; Paramiko is tried
# if python3-paramiko is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."

bin='' seconds=3 clients=yes
while [[ $# -gt 0 ]]; do
    case $1 in
        --bin) bin=$(realpath "$2"); shift 2 ;;
        --seconds) seconds=$2; shift 2 ;;
        --speed) clients=no; shift ;;
        *) printf 'ssh: unknown option %s\n' "$1" >&2; exit 2 ;;
    esac
done
if [[ -z $bin ]]; then
    for program in keychain-ssh-agent keychainctl; do
        swift build -c release --product "$program" >/dev/null
    done
    bin=$(swift build -c release --show-bin-path)
fi

work=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
cd "$work"
export HOME=$work KEYCHAIN_HOME=$work/keychain KEYCHAIN_SOCKET='' KEYCHAIN_PROMPT=none LC_ALL=C
unset DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR

# start NAME COMMAND…: an agent in the background; its socket is NAME.
start() {
    local name=$1
    shift
    "$@" -D -a "$work/$name" >/dev/null 2>"$work/$name.log" &
    pids+=($!)
    for _ in {1..100}; do [[ ! -S $work/$name ]] || return 0; sleep 0.05; done
    printf 'ssh: %s did not start\n' "$name" >&2
    exit 1
}

failed=0
# check NAME FUNCTION: one line for a client.
# shellcheck disable=SC2317 # The functions are called by their names.
check() {
    local name=$1 log=$work/check.log
    shift
    [[ $clients == yes ]] || return 0
    if "$@" >"$log" 2>&1; then
        printf '%-28s works\n' "$name"
    else
        printf '%-28s FAILED: %s\n' "$name" "$(tail -n 1 "$log")"
        failed=1
    fi
}

start ours "$bin/keychain-ssh-agent"
start openssh ssh-agent
export SSH_AUTH_SOCK=$work/ours
"$bin/keychainctl" ssh generate -C kept >kept.pub
"$bin/keychainctl" ssh generate --element -C element >element.pub
"$bin/keychainctl" ssh generate --type rsa -C rsa >rsa.pub
ssh-keygen -q -t ed25519 -N '' -C added -f added

add() {
    ssh-add -q added && ssh-add -l | grep -q added && ssh-add -T added.pub && ssh-add -d added.pub &&
        ! ssh-add -l | grep -q added
}
check 'ssh-add' add

sign() {
    local key
    for key in kept element rsa; do
        printf 'ada %s\n' "$(cat "$key.pub")" >allowed
        ssh-keygen -q -Y sign -n file -f "$key.pub" <kept.pub >signature
        ssh-keygen -q -Y verify -n file -f allowed -I ada -s signature <kept.pub || return 1
    done
}
check 'ssh-keygen -Y sign, verify' sign

commit() {
    printf 'ada %s\n' "$(cat kept.pub)" >allowed
    git init -q -b main work
    git -C work -c user.name=Ada -c user.email=ada@example.org -c gpg.format=ssh \
        -c user.signingKey="$work/kept.pub" commit -q -S --allow-empty -m 'A signed commit'
    git -C work -c gpg.ssh.allowedSignersFile="$work/allowed" verify-commit HEAD
}
check 'git commit -S' commit

serve() {
    ssh-keygen -q -t ed25519 -N '' -f host
    port=$((20000 + RANDOM % 10000))
    mkdir -p /run/sshd
    cat >sshd_config <<END
Port $port
ListenAddress 127.0.0.1
HostKey $work/host
AuthorizedKeysFile $work/kept.pub $work/element.pub $work/rsa.pub
PidFile none
PermitRootLogin yes
PasswordAuthentication no
StrictModes no
UsePAM no
Subsystem sftp internal-sftp
END
    cat >config <<END
Host shop
    HostName 127.0.0.1
    Port $port
    User root
    HostKeyAlias shop
    UserKnownHostsFile $work/known
    GlobalKnownHostsFile none
    BatchMode yes
    IdentitiesOnly yes
END
    printf 'shop %s\n' "$(cut -d' ' -f1,2 host.pub)" >known
    /usr/sbin/sshd -D -f "$work/sshd_config" -E "$work/sshd.log" &
    pids+=($!)
    for _ in {1..100}; do
        ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 0
        sleep 0.05
    done
    return 1
}
login() {
    local key
    for key in kept element rsa; do
        [[ $(ssh -F config -i "$key.pub" shop echo in </dev/null) == in ]] || return 1
    done
}
forward() { ssh -A -F config -i kept.pub shop ssh-add -l </dev/null | grep -q element; }
copy() { scp -q -F config -i kept.pub kept.pub "shop:$work/copy" && cmp kept.pub copy; }
restrict() {
    cat added.pub >>element.pub
    ssh-add -q -H known -h shop added && ssh -F config -i added.pub shop true </dev/null || return 1
    # Over a forwarding, this key must not even be seen.
    ! ssh -A -F config -i kept.pub shop ssh-add -l </dev/null | grep -q added
}
paramiko() {
    "$python" - "$port" <<'END'
import sys, paramiko
client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
client.connect('127.0.0.1', int(sys.argv[1]), 'root', look_for_keys=False)
sys.exit(client.exec_command('echo in')[1].read() != b'in\n')
END
}
if [[ $clients == no ]]; then
    true
elif [[ $(id -u) -eq 0 ]] && serve; then
    check 'ssh, sshd' login
    check 'ssh -A' forward
    check 'scp' copy
    # Debian's modules belong to Debian's interpreter, which may not be the first one in PATH.
    python=/usr/bin/python3
    if "$python" -c 'import paramiko' 2>/dev/null; then
        check 'Paramiko' paramiko
    else
        printf '%-28s not installed (python3-paramiko)\n' 'Paramiko'
    fi
    # The last one: Paramiko cannot bind its session, so that such a key would end its login.
    check 'ssh-add -h (destinations)' restrict
else
    printf '%-28s not tried: needs root and sshd\n' 'ssh, sshd, scp, Paramiko'
fi

# Ed25519 signatures in a second, one client, by turns so that both meet the same machine.
cp added speed && SSH_AUTH_SOCK=$work/openssh ssh-add -q speed
python3 - "$seconds" ours kept.pub openssh added.pub <<'END'
import base64, socket, statistics, struct, sys, time
def client(path, name):
    key = base64.b64decode(open(name).read().split()[1])
    data = bytes(200)
    body = (b'\x0d' + struct.pack('>I', len(key)) + key + struct.pack('>I', len(data)) + data
            + struct.pack('>I', 0))
    s = socket.socket(socket.AF_UNIX); s.connect(path)
    return s, struct.pack('>I', len(body)) + body
def rate(s, message, seconds):
    count, end = 0, time.monotonic() + seconds
    start = time.monotonic()
    while time.monotonic() < end:
        s.sendall(message)
        if s.recv(4096)[4] != 14: sys.exit('ssh: no signature')
        count += 1
    return count / (time.monotonic() - start)
seconds, ours, kept, theirs, added = sys.argv[1:]
pairs = [client(ours, kept), client(theirs, added)]
for pair in pairs: rate(*pair, 0.2)
turns = [[rate(*pair, float(seconds) / 5) for pair in pairs] for _ in range(5)]
mine, other = (statistics.median(column) for column in zip(*turns))
print(f'Ed25519 item of the keychain   {mine:.0f} signatures/s')
print(f'OpenSSH\'s agent                {other:.0f} signatures/s')
print(f'time per signature             {other / mine:.2f} times OpenSSH\'s (bound: 1.5)')
sys.exit(mine * 1.5 < other)
END
exit "$failed"
