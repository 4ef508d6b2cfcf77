#!/usr/bin/env bash
# Measures the agents' parts alone.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOF'
usage: micro.sh [REGEX] [JMH options]

Runs the JMH benchmarks whose names match, or all without REGEX, with the agents' JVM flags, JAVA_OPTS and -prof gc.

micro.sh Dubbo             Request (http, form), Auth (call), Dubbo (request, answer26, answer33), HessianListToJson, Metrics, AccessLog
micro.sh form -f 5 -i 10   more forks and iterations than the default: 1 fork, 3 iterations of 1 s for warm-up, 5 that count
micro.sh -lp               lists them with their parameters

A report is left as build/bench/DATE-micro.json.
EOF
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi

need jdk
build testing/benchmark/micro
jmh=("$java" "${agent_flags[@]}")
# shellcheck disable=SC2206 # JAVA_OPTS is a list of words
jmh+=(${JAVA_OPTS:-} -jar "$(jar_of testing/benchmark/micro)" "$@")
report=$root/build/bench/$(date -u +%Y%m%dT%H%M%SZ)-micro.json
mkdir -p "${report%/*}"
"${jmh[@]}" -prof gc -foe true -rf json -rff "$report"
if [[ -s $report ]]; then
  echo
  echo "report: $report"
fi
