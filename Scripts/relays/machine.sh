# The file systems that this kernel lacks, in a user-mode Linux that has them. For
# Scripts/relays-real.sh.

# The first program of the machine: it sees the files of the host.
write_first() {
    local output=$1
    cat <<END
#!/bin/bash
export PATH=/usr/sbin:/usr/bin:/sbin:/bin KEYCHAIN_BIN=$bin KEYCHAIN_RELAYS_MACHINE=1
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mountpoint -q /dev || mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/shm
mount -t tmpfs -o size=400M tmpfs /tmp
mount -t tmpfs tmpfs /var/lib/nfs
ip link set lo up
mkdir -p /tmp/modules/lib/modules
cp -rs /usr/lib/uml/modules/\$(uname -r) /tmp/modules/lib/modules/
rm -f /tmp/modules/lib/modules/*/modules.*
depmod -b /tmp/modules 2>/dev/null
for module in loop vfat nls_cp437 nls_iso8859-1 nls_ascii nls_utf8 nfs nfsv4 nfsd fuse; do
    modprobe -d /tmp/modules \$module
done
cd $PWD
Scripts/relays-real.sh files >$output 2>&1
echo "exit \$?" >>$output
sync
echo o >/proc/sysrq-trigger
sleep 10
END
}

try_machine() {
    place=machine
    [[ -z ${KEYCHAIN_RELAYS_MACHINE:-} ]] || return 0
    ((EUID == 0)) || { lacks "run as root"; return 0; }
    if kernel_has vfat && kernel_has nfsd; then say "the kernel has vfat and nfsd" note; return; fi
    needs user-mode-linux linux.uml || return 0
    needs kmod modprobe depmod || return 0
    root=/var/tmp/${work##*/}  # the machine has a /tmp of its own
    mkdir -p "$root"
    : >"$root/output"
    write_first "$root/output" >"$root/first"
    chmod +x "$root/first"
    timeout -k 5 900 linux.uml mem=1024M rootfstype=hostfs rootflags=/ rw "init=$root/first" con=null \
        con0=null,fd:2 quiet </dev/null >/dev/null 2>"$root/console" &
    running+=($!)
    wait $! || true
    sed '/^exit /d; s/^/uml: /' "$root/output"
    case $(tail -n 1 "$root/output") in
    "exit 0") ;;
    "exit 3") missing=1 ;;
    *) say "the machine ran all steps" FAILED; tail -n 20 "$root/console"; failed=1 ;;
    esac
}
