#!/usr/bin/env bash
# Generates the Go client of a service, and runs the program that calls it. usage: run.sh [URL [shop|conformance]]
set -euo pipefail
url=${1:-http://127.0.0.1:20000}
program=${2:-shop}
case $program in
  shop) service=io.dubbomesh.demo.shop.Shop ;;
  *) service=io.dubbomesh.demo.conformance.ConformanceService ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p "build/$program"

curl -fsS "$url/openapi.json?service=$service" -o "build/$program.json"
go tool oapi-codegen -config oapi-codegen.yaml -package "$program" -o "build/$program/client.go" "build/$program.json"
go build -o "build/call-$program" "./$program"
"build/call-$program" "$url"
