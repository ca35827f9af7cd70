#!/usr/bin/env bash
# Builds and tests the linter: format, build, tests, generated files. Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")"
# Nobody asks an index of a build for tests about modules of the system.
flags=(
    -Xswiftc -warnings-as-errors
    -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
    # As in Scripts/test.sh, for the same reasons.
    -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
    -Xswiftc -no-emit-module-separately-wmo -Xswiftc -disable-batch-mode -Xswiftc -use-ld=lld
    -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
)
swift format lint --strict --recursive Sources Tests Plugins Package.swift
swift build -debug-info-format none --build-tests "${flags[@]}"
swift test --skip-build "${flags[@]}" "$@"
./generate.py --check
