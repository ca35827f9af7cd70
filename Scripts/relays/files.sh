# Directories on file systems: sticks, FUSE and NFS. For Scripts/relays-real.sh.

# kernel_has FILESYSTEM: whether the kernel mounts it, or has a module for it.
kernel_has() {
    grep -qw "$1" /proc/filesystems || { modprobe -q "$1" 2>/dev/null && grep -qw "$1" /proc/filesystems; }
}

# elsewhere FILESYSTEM: whether the part "machine" tries it.
elsewhere() {
    [[ $1 != exfat && -z ${KEYCHAIN_RELAYS_MACHINE:-} ]] && ! kernel_has "$1" &&
        command -v linux.uml >/dev/null && say "the kernel has no $1: see the part machine" note
}

# attach IMAGE PLACE: mounts a stick; through FUSE if the kernel does not know its file system.
attach() {
    mkdir -p "$2"
    case $how in
    kernel) mount -o "loop,$options" "$1" "$2" ;;
    exfat-fuse) mount.exfat-fuse "$(losetup -f --show "$1")" "$2" >/dev/null ;;
    esac || return 1
    mounted+=("$2")
}
detach() {
    local device
    umount "$1" || return 1
    for device in $(losetup -j "$root/stick" -O NAME -n) $(losetup -j "$root/copy" -O NAME -n); do
        losetup -d "$device" 2>/dev/null || true
    done
}

# unplugged: the stick goes while sync run goes on, and comes back.
unplugged() {
    detach "$root/mnt" || return 1
    add desk away one
    eventually grep -q "waits for the relay" "$root/desk.run" || return 1
    [[ -z $(ls -A "$root/mnt") ]] || { echo "files are where nothing is mounted"; return 1; }
    attach "$root/stick" "$root/mnt" || return 1
    eventually grep -q "goes on" "$root/desk.run" || { cat "$root/desk.run"; return 1; }
    eventually settles has laptop away one
}

# pulled: what sync once sent is on the stick, also if nobody unmounted it; and what a sync run was
# writing at that moment is there whole, or not at all.
pulled() {
    local round
    for round in 1 2 3; do
        add desk pulled "$round" && on desk sync once || return 1
        cp --sparse=always "$root/stick" "$root/copy"
        on_copy has laptop pulled "$round" || return 1
    done
    for round in 1 2 3 4 5; do
        add desk "pulled$round" x
        on desk sync once >/dev/null 2>&1 &
        sleep "0.0$round"
        cp --sparse=always "$root/stick" "$root/copy"
        wait $! || return 1
        on_copy true || return 1
    done
    on laptop sync once --relay "$root/mnt/keychain" || return 1
    eventually settles both pulled5 x
}
# on_copy COMMAND…: what the laptop has when the stick is as it was when it was pulled.
on_copy() {
    local reason=0
    attach "$root/copy" "$root/other" || return 1
    on laptop sync once --relay "$root/other/keychain" && "$@" || reason=1
    detach "$root/other" || return 1
    return $reason
}

# gone: a FUSE file system whose program is killed.
gone() {
    pkill -9 -f "$1" || { echo "no program '$1'"; return 1; }
    add desk dead one
    eventually grep -q "waits for the relay" "$root/desk.run" || { cat "$root/desk.run"; return 1; }
    umount -l "$root/mnt"
}

# full: a stick without room refuses, and goes on when there is room.
full() {
    head -c 200M /dev/zero >"$root/mnt/filler" 2>/dev/null || true
    add desk large2 "$(head -c 100000 /dev/zero | tr '\0' y)"
    refuses "No space left" on desk sync once || return 1
    rm "$root/mnt/filler"
    eventually settles both large2 "$(head -c 100000 /dev/zero | tr '\0' y)"
}

# stick FILESYSTEM MKFS…: a file system on a loop device.
stick() {
    local kind=$1
    shift
    begin "$kind"
    options=rw
    how=kernel
    if ! kernel_has "$kind"; then
        elsewhere "$kind" && return
        [[ $kind == exfat ]] && command -v mount.exfat-fuse >/dev/null && how=exfat-fuse ||
            { lacks "$kind: the kernel has no such file system"; return; }
        say "the kernel has no $kind; through FUSE" note
    fi
    truncate -s 40M "$root/stick"
    "$@" "$root/stick" >/dev/null 2>&1 || { lacks "$1 makes no file system"; return; }
    if ! attach "$root/stick" "$root/mnt" 2>"$root/why"; then
        lacks "$kind: cannot mount: $(cat "$root/why")"
        return
    fi
    holds "a circle forms on $kind" pair "$root/mnt/keychain"
    promises
    holds "a full stick refuses, and goes on with room" full
    start_run desk
    holds "the stick is unplugged during sync run, and comes back" unplugged
    holds "sync run goes on" stop_run
    holds "pulled without unmounting: what was sent is there" pulled
    holds "nobody holds the stick" detach "$root/mnt"
}

# behind NAME COMMAND…: the laptop sees the desk's directory through a program.
behind() {
    local kind=$1
    shift
    begin "$kind"
    mkdir -m 700 "$root/store" "$root/mnt"
    if ! "$@" "$root/mnt" >"$root/why" 2>&1; then
        lacks "$kind: cannot mount: $(cat "$root/why")"
        return
    fi
    mounted+=("$root/mnt")
    holds "a circle forms over $kind" pair "$root/store" "$root/mnt"
    promises
    start_run laptop
    add desk far one && on desk sync once >/dev/null
    holds "sync run sees what inotify does not tell" eventually has laptop far one
    [[ $kind == nfs ]] || holds "its program is killed: sync run waits" gone_laptop "$root/mnt"
    holds "sync run goes on" stop_run
    umount -l "$root/mnt" 2>/dev/null || true
}
gone_laptop() {
    pkill -9 -f "$1" || { echo "no program has $1"; return 1; }
    add laptop dead one
    eventually grep -q "waits for the relay" "$root/laptop.run" || { cat "$root/laptop.run"; return 1; }
}

mount_bindfs() { bindfs "$root/store" "$1"; }
# Without dir_cache=no sshfs shows for 20 seconds what a directory had before.
mount_sshfs() {
    printf '#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n' >"$root/ssh"
    chmod +x "$root/ssh"
    sshfs -o "ssh_command=$root/ssh,dir_cache=no" "localhost:$root/store" "$1"
}

# NFS over loopback: a server and a client of this kernel.
mount_nfs() {
    mountpoint -q /proc/fs/nfsd || mount -t nfsd nfsd /proc/fs/nfsd
    mkdir -p /var/lib/nfs/v4recovery /var/lib/nfs/rpc_pipefs /run/rpcbind
    exportfs -i -o rw,no_root_squash,insecure,fsid=0,no_subtree_check "127.0.0.1:$root/store"
    rpc.mountd -N 3 -V 4 --no-udp
    rpc.nfsd -N 3 -V 4.2 --no-udp -H 127.0.0.1 2 || rpc.nfsd -N 3 -H 127.0.0.1 2
    mount -t nfs -o vers=4.2,actimeo=1,soft,timeo=50,retrans=2 127.0.0.1:/ "$1"
}

try_files() {
    if ((EUID != 0)); then place=files; lacks "sticks: run as root, which may mount"; return; fi
    local kind
    [[ -n ${KEYCHAIN_RELAYS_MACHINE:-} ]] || stick ext4 mkfs.ext4 -q
    stick vfat mkfs.vfat -F 32
    try_nfs
    [[ -z ${KEYCHAIN_RELAYS_MACHINE:-} ]] || return 0
    stick exfat mkfs.exfat
    for kind in bindfs sshfs; do
        place=$kind
        [[ -e /dev/fuse ]] || { lacks "$kind: the kernel has no FUSE"; continue; }
        needs "$kind" "$kind" || continue
        behind "$kind" "mount_$kind"
    done
}

try_nfs() {
    place=nfs
    ! elsewhere nfsd || return 0
    if ! kernel_has nfsd; then lacks "nfs: the kernel has no nfsd"; return; fi
    needs nfs-kernel-server rpc.nfsd exportfs rpc.mountd || return 0
    behind nfs mount_nfs
}
