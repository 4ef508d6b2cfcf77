#!/usr/bin/env bash
# Generates the Java client of a service, compiles the program that calls it, and runs it.
# usage: run.sh [URL [shop|conformance]]
set -euo pipefail
url=${1:-http://127.0.0.1:20000}
case ${2:-shop} in
  shop) program=Shop service=io.dubbomesh.demo.shop.Shop ;;
  *) program=Conformance service=io.dubbomesh.demo.conformance.ConformanceService ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p build

curl -fsS "$url/openapi.json?service=$service" -o "build/$program.json"
mvn -B -q "-Dprogram=$program" "-Durl=$url" -Dorg.slf4j.simpleLogger.defaultLogLevel=error compile exec:java
