#!/usr/bin/env bash
# Formats every Swift file in place, by .swift-format.
set -euo pipefail
cd "$(dirname "$0")/.."
# The linter's fixtures are code that has mistakes on purpose.
git ls-files -z -- '*.swift' ':!Tools/KeychainLint/Fixtures' |
    xargs -0 swift format --in-place --parallel
