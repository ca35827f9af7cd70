#!/usr/bin/env bash
# Builds and tests the linter: format, build, tests, generated files.
set -euo pipefail
cd "$(dirname "$0")"
swift format lint --strict --recursive Sources Tests Plugins Package.swift
swift build --build-tests -Xswiftc -warnings-as-errors
swift test --skip-build
./generate.py --check
