#!/usr/bin/env bash
# Formats every Swift file in place, by .swift-format.
set -euo pipefail
cd "$(dirname "$0")/.."
exec swift format --in-place --recursive --parallel Sources Tests Tools Fuzz Package.swift
