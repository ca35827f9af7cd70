# Where an installation puts its files; Scripts/install.sh and Scripts/uninstall.sh read this.
# shellcheck shell=bash disable=SC2034

# Every program of an installation, and those that no other program of the account may imitate.
programs=(
    keychainctl keychaind keychain-witness keychain-agent keychain-migrate keychain-simulate
    keychain-fingerprint keychain-logind keychain-pam keychain-doors keychain-ssh-agent
    keychain-secret-service keychain-browser keychain-sync keychain-relay keychain-tpm keychain-bus
)
protected=(
    keychainctl keychain-migrate keychain-agent keychain-pam keychain-ssh-agent keychain-sync
)

# Those that a protected program starts, without its rights, and tells what the account may not read.
# Nobody but root may read their files: so the kernel lets nobody trace them, from their first moment
# on (execve(2), ptrace(2)).
companions=(keychain-tpm keychain-relay keychain-bus keychain-fingerprint)

# mode_of PROGRAM: of its file.
mode_of() {
    local companion
    for companion in "${companions[@]}"; do [[ $companion != "$1" ]] || { echo 0711; return; }; done
    echo 0755
}

# The programs whose --help becomes a page of the manual, with its section; keychainctl writes the
# pages of its own commands.
manual=(
    keychaind.8 keychain-witness.8 keychain-agent.1 keychain-ssh-agent.1 keychain-secret-service.1
    keychain-browser.1 keychain-fingerprint.1 keychain-pam.8 keychain-relay.8 keychain-tpm.8
    keychain-bus.1
)

# The pages for people that programs name. They keep their folder, so that their names and the links
# between them stay right.
named_pages=(
    SECURITY.md Documentation/Command.md Documentation/Daemon.md Documentation/Doors.md
    Documentation/Files.md
)

# Fixed places: the daemon reads its policies there whatever the prefix is.
policies=/usr/share/keychain/programs.d
user_policies=/usr/share/keychain/user-programs.d
polkit_rules=/usr/share/polkit-1/rules.d
pam_configs=/usr/share/pam-configs
# p11-kit reads the modules of all packages there.
token_modules=/usr/share/p11-kit/modules
bus_services=/usr/share/keychain/dbus-1
bus_policies=/usr/share/dbus-1/system.d

# set_places PREFIX: the places that depend on the prefix; systemd reads all of them. LIBDIR is for
# packages of systems that keep such modules elsewhere.
set_places() {
    bin=$1/bin
    libraries=${LIBDIR:-$1/lib}
    share=$1/share
    extension=$1/share/keychain/browser-extension
    pages=$1/share/doc/swift-keychain
    case $1 in
        /usr | /usr/local) lib=$1/lib ;;
        *) lib=/etc ;;
    esac
    system_units=$lib/systemd/system
    user_units=$lib/systemd/user
    accounts=$lib/sysusers.d
    directories=$lib/tmpfiles.d
}

# pam_modules: the directory of PAM's modules; empty where the system has no PAM.
pam_modules() {
    local directory
    for directory in /usr/lib/*/security /usr/lib64/security /usr/lib/security /lib/security; do
        [[ ! -e $directory/pam_unix.so ]] || { printf '%s\n' "$directory"; return; }
    done
}

# files: each configuration file of the repository, and the directory it goes to.
files() {
    local file
    for file in Packaging/systemd/system/*; do printf '%s %s\n' "$file" "$system_units"; done
    for file in Packaging/systemd/user/*; do printf '%s %s\n' "$file" "$user_units"; done
    for file in Packaging/programs.d/*; do printf '%s %s\n' "$file" "$policies"; done
    for file in Packaging/user-programs.d/*; do printf '%s %s\n' "$file" "$user_policies"; done
    for file in Extensions/browser/*; do printf '%s %s\n' "$file" "$extension"; done
    for file in "${named_pages[@]}"; do
        case $file in
            */*) printf '%s %s\n' "$file" "$pages/${file%/*}" ;;
            *) printf '%s %s\n' "$file" "$pages" ;;
        esac
    done
    printf '%s %s\n' Packaging/polkit-1/rules.d/50-keychain.rules "$polkit_rules"
    printf '%s %s\n' Packaging/pam-configs/keychain "$pam_configs"
    printf '%s %s\n' Packaging/p11-kit/keychain.module "$token_modules"
    printf '%s %s\n' Packaging/pkcs11/libkeychain-pkcs11.so.entitlements "$libraries"
    printf '%s %s\n' Packaging/dbus-1/services/org.freedesktop.secrets.service "$bus_services"
    printf '%s %s\n' Packaging/dbus-1/system.d/keychaind.conf "$bus_policies"
    printf '%s %s\n' Packaging/sysusers.d/keychain.conf "$accounts"
    printf '%s %s\n' Packaging/tmpfiles.d/keychain.conf "$directories"
}

# shared_files SHARE: the man pages and completions below a share directory, as paths below it. The
# names are ours alone.
shared_files() {
    local file
    for file in "$1"/man/man[18]/keychain* "$1"/bash-completion/completions/keychainctl \
        "$1"/zsh/site-functions/_keychainctl "$1"/fish/vendor_completions.d/keychainctl.fish; do
        [[ ! -f $file ]] || printf '%s\n' "${file#"$1"/}"
    done
}

# run COMMAND…: runs it, or with --dry-run prints it.
run() {
    if [[ $dry_run == yes ]]; then
        printf '%s\n' "$*"
    else
        "$@"
    fi
}

# systemd_runs: whether systemd manages this machine, and the files go to it and not to DESTDIR.
systemd_runs() { [[ -z $destdir && -d /run/systemd/system ]]; }
