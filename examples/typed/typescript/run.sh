#!/usr/bin/env bash
# Generates the TypeScript types of a service, compiles the program that calls it, and runs it.
# usage: run.sh [URL [shop|conformance]]
source "$(dirname "${BASH_SOURCE[0]}")/../begin.sh"

cp package.json generate.mjs ./*.ts build/
if ! cmp -s package-lock.json build/package-lock.json; then
  cp package-lock.json build/
  (cd build && npm ci --silent --no-audit --no-fund --prefer-offline) || { rm build/package-lock.json; exit 1; }
fi
cd build

node generate.mjs "$program.json" "$program-types.d.ts"
node_modules/.bin/tsc --target es2022 --module nodenext --strict --skipLibCheck --outDir out "$program.ts"
node "out/$program.js" "$url"
