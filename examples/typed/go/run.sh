#!/usr/bin/env bash
# Generates the Go client of a service, and runs the program that calls it. usage: run.sh [URL [shop|conformance]]
source "$(dirname "${BASH_SOURCE[0]}")/../begin.sh"

mkdir -p "build/$program"
go tool oapi-codegen -config oapi-codegen.yaml -package "$program" -o "build/$program/client.go" "build/$program.json"
go build -o "build/call-$program" "./$program"
"build/call-$program" "$url"
