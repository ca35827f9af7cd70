#!/usr/bin/env bash
# Scripts/recipes.sh [--bin BIN] [RECIPE…]: runs the recipes of Documentation/Recipes.md, or those named (service, cron,
# group, container, tpm, ci, macos), with the programs of BIN (default .build/debug); one line for each. Needs root,
# systemd-nspawn, python3 and swtpm. All but ci run in containers on a copy-on-write view of this machine.
# Exit status: 0 if all worked, 1 if one failed, 2 for an unknown recipe or a missing program.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'recipes: %s\n' "$@" >&2
    exit 2
}

declare -A titles=(
    [service]='A systemd service' [cron]='A cron job' [group]='Two programs that share a group'
    [container]='A container' [tpm]='A TPM' [ci]="Another package's CI" [macos]='Scripts written for macOS'
)
order=(service cron group container tpm macos ci)

bin=.build/debug
if [[ ${1:-} == --bin ]]; then
    bin=${2:?recipes: --bin needs a directory}
    shift 2
fi
recipes=("$@")
[[ $# -gt 0 ]] || recipes=("${order[@]}")
for recipe in "${recipes[@]}"; do
    [[ -n ${titles[$recipe]:-} ]] || fail "no recipe is called $recipe; there are: ${order[*]}"
done
[[ $(id -u) -eq 0 ]] || fail "this needs root"
for program in systemd-nspawn python3 swtpm; do
    command -v "$program" >/dev/null || fail "$program is missing: Scripts/setup.sh, and apt install systemd-container"
done
bin=$(realpath "$bin")
[[ -x $bin/keychainctl ]] || fail "$bin has no keychainctl: run swift build"
[[ $bin/ != /tmp/* && $bin/ != /run/* ]] || fail "the container cannot see $bin: use a directory outside /tmp and /run"

if [[ ${INSIDE_MOUNTS:-} != yes ]]; then
    exec env INSIDE_MOUNTS=yes unshare --mount "$PWD/Scripts/recipes.sh" --bin "$bin" "${recipes[@]}"
fi

place=$(mktemp -d)
trap 'umount --recursive --lazy "$place"; rmdir "$place"' EXIT
mount -t tmpfs none "$place"

# A machine of its own: NAME. What is below /root and in keychains of this machine is not in it.
machine() {
    local root=$place/$1/root
    mkdir -p "$place/$1"/{upper,work,root}
    mount -t overlay -o "lowerdir=/,upperdir=$place/$1/upper,workdir=$place/$1/work" none "$root"
    rm -rf "$root/root/.local/share/keychain" "$root/root/.config"
    install "$bin/keychainctl" "$root/usr/local/bin/keychainctl"
}

# 1,125 words, for machines without a list.
words() {
    python3 -c 'import itertools; s = "bcdfghklmnprstv"; print(*(a + v + b for a, v, b in itertools.product(s, "aeiou", s)), sep="\n")'
}

# What runs in the machine of most recipes, by its systemd; the last line is the verdict.
boot() {
    local root=$place/booted/root wants
    machine booted
    words >"$root/srv/words"
    cat >"$root/trial.sh" <<END
#!/usr/bin/env bash
cd '$PWD'
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin HOME=/root WORDS=/srv/words TPM=swtpm:path=/srv/tpm/socket
mkdir /srv/tpm
python3 - <<'PY'
import os, socket, subprocess
ends = []
for name in ('/srv/tpm/socket', '/srv/tpm/socket.ctrl'):
    end = socket.socket(socket.AF_UNIX)
    end.bind(name)
    end.listen()
    ends.append(end)
words = ['swtpm', 'socket', '--tpm2', '--tpmstate', 'dir=/srv/tpm', '--server', 'type=unixio,fd=0', '--ctrl',
         'type=unixio,fd=1', '--flags', 'not-need-init,startup-clear']
subprocess.Popen(words, stdin=ends[0], stdout=ends[1], stderr=subprocess.DEVNULL)
PY
$(for recipe in "$@"; do
        printf 'if python3 Scripts/recipes.py %q >/trial.out 2>&1%s; then echo ok %s; else echo FAILED %s; cat /trial.out; fi\n' \
            "${titles[$recipe]}" "$([[ $recipe == cron ]] && printf ' && cron >>/trial.out 2>&1')" "$recipe" "$recipe"
    done)
echo end
END
    # The line of the page, as cron runs it: crontab(5).
    cat >"$root/usr/local/bin/cron" <<'END'
#!/usr/bin/env bash
set -euo pipefail
source_line=$(grep '^KEYCHAIN_UNLOCK_WITH=' /etc/cron.d/report)
job=$(sed -n 's|^\*/5 \* \* \* \* report ||p' /etc/cron.d/report)
rm -rf /dev/shm/* # as a restart does
runuser -u report -- env -i SHELL=/bin/sh LOGNAME=report HOME=/var/lib/report PATH=/usr/bin:/bin "$source_line" \
    sh -c "cd; $job"
[[ $(cat /var/lib/report/length) -eq 31 ]]
END
    chmod +x "$root/trial.sh" "$root/usr/local/bin/cron"
    cat >"$root/etc/systemd/system/trial.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/trial.sh
ExecStopPost=/bin/systemctl --no-block poweroff
StandardOutput=file:/trial.log
StandardError=inherit
TimeoutStartSec=300
END
    wants=$root/etc/systemd/system/default.target.wants
    mkdir -p "$wants"
    ln -sf ../trial.service "$wants/trial.service"
    timeout 400 systemd-nspawn --quiet --system-call-filter=@memlock --directory "$root" --register=no --keep-unit \
        --boot >"$place/boot.log" 2>&1 </dev/null || true
    if ! grep -q '^end$' "$root/trial.log"; then
        tail -n 30 "$place/boot.log"
        cat "$root/trial.log"
        return 1
    fi
    sed '$d' "$root/trial.log"
    ! grep -q '^FAILED' "$root/trial.log"
}

# The container of the page: no network, nothing writable but the volume, and one program.
container() {
    local root=$place/boxed/root
    machine boxed
    mkdir "$place/volume" "$root/keychain"
    chown 1000:1000 "$place/volume"
    grep -q ':1000:' "$root/etc/passwd" || echo 'app:x:1000:1000::/keychain:/bin/sh' >>"$root/etc/passwd"
    local user
    user=$(awk -F: '$3 == 1000 { print $1; exit }' "$root/etc/passwd")
    printf 'six-words-for-a-recipe-here\n' >"$place/passcode"
    chown 1000:1000 "$place/passcode"
    chmod 600 "$place/passcode"
    mkdir -p "$root/run/secrets"
    local words=(systemd-nspawn --quiet --pipe --directory "$root" --register=no --keep-unit --private-network --read-only
        --as-pid2 --user "$user" --bind "$place/volume:/keychain" --bind-ro "$place/passcode:/run/secrets/passcode"
        --setenv=KEYCHAIN_HOME=/keychain --setenv=KEYCHAIN_SOCKET=)
    # What nspawn itself says goes to standard error.
    "${words[@]}" sh -ec 'keychainctl -q passcode set </run/secrets/passcode
        keychainctl -q generate --length 20 --store -s shop -a shop' </dev/null
    local found
    found=$("${words[@]}" --setenv=KEYCHAIN_UNLOCK_WITH=file:/run/secrets/passcode \
        keychainctl find-generic-password -s shop -w </dev/null | tr -d '\r')
    [[ ${#found} -eq 20 ]]
    # Without the secret, nothing opens.
    ! "${words[@]}" keychainctl find-generic-password -s shop -w </dev/null
}

verdict() {
    local name=$1
    shift
    if "$@" >"$place/$name.out" 2>&1; then echo "ok $name"; else
        echo "FAILED $name"
        cat "$place/$name.out"
        failures=$((failures + 1))
    fi
}

failures=0
booted=()
for recipe in "${recipes[@]}"; do
    [[ $recipe == container || $recipe == ci ]] || booted+=("$recipe")
done
if [[ ${#booted[@]} -gt 0 ]]; then boot "${booted[@]}" || failures=$((failures + 1)); fi
for recipe in "${recipes[@]}"; do
    case $recipe in
    container) verdict container container ;;
    ci) verdict ci python3 Scripts/recipes.py "${titles[ci]}" ;;
    esac
done
[[ $failures -eq 0 ]] || exit 1
