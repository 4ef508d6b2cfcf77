#!/usr/bin/env bash
# Generates the Python client of a service, and runs the program that calls it. usage: run.sh [URL [shop|conformance]]
source "$(dirname "${BASH_SOURCE[0]}")/../begin.sh"

if ! cmp -s requirements.txt build/venv/requirements.txt; then
  python3 -m venv --clear build/venv
  build/venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
  cp requirements.txt build/venv/
fi
PATH="$PWD/build/venv/bin:$PATH" openapi-python-client generate --path "build/$program.json" --meta none \
  --output-path "build/${program}_client" --overwrite --fail-on-warning
PYTHONPATH=build build/venv/bin/python "$program.py" "$url"
