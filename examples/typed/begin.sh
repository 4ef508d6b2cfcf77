# shellcheck shell=bash
# Begins the run.sh of each language, in its directory: sets url and program, and leaves the document of the program's service in
# build/$program.json. Sourced, never run.
set -euo pipefail
url=${1:-http://127.0.0.1:20000}
program=${2:-shop}
case $program in
  shop) service=io.dubbomesh.demo.shop.Shop ;;
  conformance) service=io.dubbomesh.demo.conformance.ConformanceService ;;
  *)
    echo "run.sh: program $program (expected: shop or conformance)" >&2
    exit 2
    ;;
esac
cd "$(dirname "${BASH_SOURCE[1]}")"
mkdir -p build
curl -fsS "$url/openapi.json?service=$service" -o "build/$program.json"
