#!/usr/bin/env bash
# Makes one static site of all public modules, their articles and tutorials, and the pages of this
# repository. It fails if DocC warns, if a public symbol has no documentation, or if a step of a
# tutorial does not compile.
#
#   Scripts/site.sh OUT [--modules DIR]
#   python3 -m http.server --directory OUT      # then open http://localhost:8000/documentation
#
# DIR has compiled modules of this checkout; without it, the script builds the package first.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    echo "usage: Scripts/site.sh OUT [--modules DIR]; the head of the script says more" >&2
    exit 2
}

[[ $# -eq 1 || ($# -eq 3 && $2 == --modules) ]] || usage
[[ $1 != -* ]] || usage
out=$1
compiled=${3-}
[[ ! -e $out ]] || { echo "site: $out exists; remove it first" >&2; exit 1; }
if [[ -z $compiled ]]; then
    swift build
    compiled=$(swift build --show-bin-path)/Modules
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
target=$(swiftc -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
archives=()
dependencies=()

# symbols MODULE: what is public in it, as DocC reads it.
symbols() {
    mkdir -p "$scratch/symbols/$1"
    swift symbolgraph-extract -module-name "$1" -I "$compiled" -target "$target" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$scratch/symbols/$1"
}

# convert NAME CATALOGUE OPTION…: an archive, which may link to those before it.
convert() {
    local name=$1 catalogue=$2
    shift 2
    docc convert "$catalogue" --warnings-as-errors --enable-experimental-external-link-support \
        --fallback-display-name "$name" --fallback-bundle-identifier "$name" \
        --fallback-default-module-kind Module "${dependencies[@]}" "$@" \
        --output-path "$scratch/$name.doccarchive"
    archives+=("$scratch/$name.doccarchive")
    dependencies+=(--dependency "$scratch/$name.doccarchive")
}

mapfile -t modules < <(Scripts/site.py order .)
for module in "${modules[@]}"; do symbols "$module"; done
Scripts/site.py undocumented "$scratch"/symbols/*/*.json

mapfile -t steps < <(Scripts/site.py steps .)
manifests=$(dirname "$(readlink -f "$(command -v swiftc)")")/../lib/swift/pm/ManifestAPI
for step in "${steps[@]}"; do
    if grep -q '^import PackageDescription' "$step"; then
        swiftc -typecheck -parse-as-library -I "$manifests" -package-description-version 6.2 "$step"
    else
        swiftc -typecheck -parse-as-library -swift-version 6 -I "$compiled" "$step"
    fi
done

Scripts/site.py pages . "$scratch/Manual.docc"
convert Manual "$scratch/Manual.docc"
for module in "${modules[@]}"; do
    catalogue=Sources/$module/$module.docc
    [[ -d $catalogue ]] || { echo "site: $catalogue is missing" >&2; exit 1; }
    convert "$module" "$catalogue" --additional-symbol-graph-dir "$scratch/symbols/$module"
done
docc merge "${archives[@]}" --synthesized-landing-page-name swift-keychain \
    --synthesized-landing-page-kind Package --synthesized-landing-page-topics-style list \
    --output-path "$out"
# A server shows this page for its root.
printf '<!DOCTYPE html><meta charset="utf-8"><title>swift-keychain</title>%s\n' \
    '<meta http-equiv="refresh" content="0; url=documentation">' >"$out/index.html"
printf 'site: %s modules, %s pages in %s\n' "${#modules[@]}" \
    "$(find "$out/documentation" "$out/tutorials" -name index.html | wc -l)" "$out"
