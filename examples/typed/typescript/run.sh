#!/usr/bin/env bash
# Generates the TypeScript types of a service, compiles the program that calls it, and runs it.
# usage: run.sh [URL [shop|conformance]]
set -euo pipefail
url=${1:-http://127.0.0.1:20000}
program=${2:-shop}
case $program in
  shop) service=io.dubbomesh.demo.shop.Shop ;;
  *) service=io.dubbomesh.demo.conformance.ConformanceService ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p build
cp package.json generate.mjs ./*.ts build/
if ! cmp -s package-lock.json build/package-lock.json; then
  cp package-lock.json build/
  (cd build && npm ci --silent --no-audit --no-fund --prefer-offline) || { rm build/package-lock.json; exit 1; }
fi
cd build

curl -fsS "$url/openapi.json?service=$service" -o "$program.json"
node generate.mjs "$program.json" "$program-types.d.ts"
node_modules/.bin/tsc --target es2022 --module nodenext --strict --skipLibCheck --outDir out "$program.ts"
node "out/$program.js" "$url"
