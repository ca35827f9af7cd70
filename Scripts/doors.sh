#!/usr/bin/env bash
# Scripts/doors.sh [DOOR…]: runs real clients of other projects against every door, or against those
# named (secret-service, ssh, pkcs11, tools); prints one line for each client. Installs what is missing.
# Exit status: 0 if all worked, 1 if a client failed, 2 for an unknown door.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'doors: %s\n' "$1" >&2
    exit 2
}

known=()
for script in Scripts/doors/*.sh; do known+=("$(basename "$script" .sh)"); done
doors=("$@")
[[ $# -gt 0 ]] || doors=("${known[@]}")
for door in "${doors[@]}"; do
    [[ -f Scripts/doors/$door.sh ]] || fail "no door is called $door; there are: ${known[*]}"
done

Scripts/setup.sh
failed=()
for door in "${doors[@]}"; do
    printf '%s\n' "$door"
    "Scripts/doors/$door.sh" || failed+=("$door")
done
[[ ${#failed[@]} -eq 0 ]] || { printf 'doors: failed: %s\n' "${failed[*]}"; exit 1; }
