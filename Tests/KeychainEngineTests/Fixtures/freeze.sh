#!/usr/bin/env bash
# Makes the frozen keychain of one version of the store, with items of every class.
#
#     freeze.sh KEYCHAIN DIRECTORY
#
# KEYCHAIN is the command as it is built from the last commit that writes that version; the tests
# need the three files of DIRECTORY as they are committed. The passcode is 1234.
set -euo pipefail
keychain=$1
inputs=$(cd "$(dirname "$0")/../../KeychainCommandTests/Fixtures" && pwd)
export KEYCHAIN_HOME=$2 KEYCHAIN_PROMPT=none HOME=$2/home XDG_RUNTIME_DIR=$2/run
mkdir -m 700 "$2" "$HOME" "$XDG_RUNTIME_DIR"

add() { printf 'value of %s' "$1" | "$keychain" add-generic-password -s mail -a "$@"; }

printf '1234\n' | "$keychain" passcode set
add unlocked --accessible WhenUnlocked -l "A label"
add here --accessible WhenUnlockedThisDeviceOnly
add after --accessible AfterFirstUnlock
add later --accessible AfterFirstUnlockThisDeviceOnly
add always --accessible Always
add ever --accessible AlwaysThisDeviceOnly
add needs --accessible WhenPasscodeSetThisDeviceOnly
add synced --synchronizable
add gated
"$keychain" set-access-control -s mail -a gated --require devicePasscode
printf 'value of web' | "$keychain" add-internet-password -s example.com -a web -r htps -P 8443 \
    -p /login
printf 'sesame\n' | "$keychain" import "$inputs/leaf.p12" -f pkcs12
"$keychain" import "$inputs/session.key" -t session -f raw -l session --tag session
"$keychain" create-keypair -a ec --tag made "A pair"
"$keychain" ssh generate --element -C element
"$keychain" ssh generate --element --require devicePasscode -C "gated element"
add gone
"$keychain" delete-generic-password -s mail -a gone
"$keychain" check
"$keychain" lock-keychain
sqlite3 "$2/keychain.db" "PRAGMA wal_checkpoint(TRUNCATE)"
rm -rf "$2"/keychain.db-* "$2/lock" "$2/lock-epoch" "$HOME" "$XDG_RUNTIME_DIR"
