# Two keychains, desk and laptop, and what is promised about them. For Scripts/relays-real.sh.

since=0
say() { printf "%-12s %-62s %s (%d s)\n" "$place" "$1" "$2" "$((SECONDS - since))"; since=$SECONDS; }

# holds TITLE COMMAND…: one line for one promise.
holds() {
    local title=$1
    shift
    if "$@" >"$work/last" 2>&1; then say "$title" ok; else
        say "$title" FAILED
        sed 's/^/    /' "$work/last"
        failed=1
    fi
}

# lacks WHAT: something that this machine does not have.
lacks() {
    say "not tried: $1" missing
    missing=1
}

needs() {
    local program
    for program in "${@:2}"; do
        if ! PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null; then
            lacks "$program; sudo apt-get install $1"
            return 1
        fi
    done
}

# begin PLACE: two new keychains. Their relay is named later.
begin() {
    place=$1
    root=$work/$place
    mkdir -p "$root"
    local device
    for device in desk laptop; do mkdir -m 700 "$root/$device"; done
    extra=()
}

# on DEVICE COMMAND…: keychainctl on one keychain.
on() {
    local device=$1
    shift
    env -i PATH="$bin:/usr/bin:/bin" HOME="$root/$device" TMPDIR="$root/$device" LANG=C.UTF-8 \
        KEYCHAIN_HOME="$root/$device/keychain" "${extra[@]}" "$bin/keychainctl" "$@"
}
add() { printf '%s\n' "$3" | on "$1" -q add-generic-password -U -s relays -a "$2" --synchronizable; }
value() { on "$1" find-generic-password -s relays -a "$2" -w --synchronizable 2>/dev/null || true; }
delete() { on "$1" delete-generic-password -s relays -a "$2" --synchronizable >/dev/null 2>&1; }
fact() { on "$1" sync status --json | sed -n "s/^  \"$2\": \"\\(.*\\)\".*/\\1/p"; }
has() { local v; v=$(value "$1" "$2"); [[ $v == "$3" ]] || { echo "$1 has '$v', not '$3'"; return 1; }; }
both() { has desk "$1" "$2" && has laptop "$1" "$2"; }

# eventually COMMAND…: tries for 40 seconds, and shows the last try.
eventually() {
    local end=$((SECONDS + 40))
    until "$@" >"$work/try" 2>&1; do
        ((SECONDS < end)) || { cat "$work/try"; return 1; }
        sleep 0.2
    done
}

# carry: what brings files from one device to the other; for relays that need nothing: nothing.
carry() { :; }

# step: exchanges what there is, on both devices.
step() {
    local device
    for device in desk laptop desk laptop; do
        on "$device" sync once || return 1
        carry || return 1
    done
}
settles() { step && "$@"; }

# refuses PATTERN COMMAND…: it fails, and its message says why.
refuses() {
    local pattern=$1 words
    shift
    if words=$("$@" 2>&1); then echo "it succeeded: $words"; return 1; fi
    [[ $words =~ $pattern ]] || { echo "it says: $words"; return 1; }
}

# pair RELAY [RELAY]: the two form a circle, each with its view of the relay.
pair() {
    on desk -q sync create --no-recovery --relay "$1" --name desk || return 1
    carry || return 1
    on laptop -q sync join "$(fact desk circle)" --relay "${2:-$1}" --name laptop || return 1
    carry || return 1
    eventually approves || return 1
    carry || return 1
    eventually settles member
}
approves() { carry && on desk sync approve "$(fact laptop fingerprint)"; }
member() { [[ $(fact laptop phase) == member ]]; }

# promises: what every relay has to bring about.
promises() {
    add desk first one
    holds "what one adds, the other has" eventually settles both first one
    add laptop first two
    holds "what the other changes, the first has" eventually settles both first two
    add desk clash earlier
    sleep 0.02
    add laptop clash later
    holds "of two changes the later is on both" eventually settles both clash later
    delete laptop first
    holds "what one deletes is gone on both" eventually settles both first ""
    holds "a large item arrives whole" large
    holds "sync run stops with sync off, and goes on with sync on" switched
}
switched() {
    start_run desk
    on desk sync off || return 1
    add desk switched one
    eventually grep -q "is off" "$root/desk.run" || return 1
    on desk sync on || return 1
    eventually sent_by_run || return 1
    stop_run && : >"$root/desk.run"
}
sent_by_run() { [[ $(on desk sync status) == *"in step"* ]]; }
large() {
    add desk large "$(head -c 100000 /dev/zero | tr '\0' x)"
    eventually settles both large "$(head -c 100000 /dev/zero | tr '\0' x)"
}

# start_run DEVICE: sync run in the background; its lines are in DEVICE.run.
start_run() {
    on "$1" sync run >>"$root/$1.run" 2>&1 &
    runner=$!
    running+=($runner)
}
# ends_run: it has to be there still.
stop_run() {
    kill -0 "$runner" 2>/dev/null || { echo "sync run ended:"; cat "$root"/*.run; return 1; }
    pkill -INT -P "$runner" 2>/dev/null || true
    kill -INT "$runner" 2>/dev/null || true
    wait "$runner" 2>/dev/null || true
}
