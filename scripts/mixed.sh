#!/usr/bin/env bash
# Calls through agents of two versions in one mesh, while one of its provider agents is upgraded and rolled back.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOT'
usage: mixed.sh DIR

DIR is a checkout of another version: git worktree add DIR COMMIT. Two real providers get a provider agent of each version, and each
version's consumer agent calls both at a fixed rate, while the older provider agent is replaced by one of this checkout and back.
The exit status is 0 only if every call had the right answer and was executed once.
EOT
}

rate=300
seconds=20
# Of a part of the time, in which nothing is changed.
calm_seconds=4
modules=(provider-agent consumer-agent)

case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
esac
(($# == 1)) || { usage >&2; exit 1; }
[[ -f $1/consumer-agent/pom.xml ]] || die "$1 (expected: the directory of another checkout)"
other=$(cd "$1" && pwd)

# jar_in CHECKOUT MODULE
jar_in() {
  echo "$1/$2/target/$2.jar"
}

# start_agent NAME CHECKOUT MODULE PORT SETTING...; returns when it is ready.
start_agent() {
  local name=$1 checkout=$2 module=$3 port=$4
  shift 4
  # shellcheck disable=SC2154 # of lib.sh
  start "$name" "$java" "${agent_flags[@]}" "-Dregistry=file:$work/registry" -Dserver.host=127.0.0.1 "-Dserver.port=$port" \
    "-Dadmin.port=$((port + 1))" "$@" -jar "$(jar_in "$checkout" "$module")"
  await "$name" 60 get "http://127.0.0.1:$((port + 1))/readyz"
}

# start_provider_agent NAME CHECKOUT NUMBER
start_provider_agent() {
  start_agent "$1" "$2" provider-agent "$(agent_port "$3")" -Dadvertise.host=127.0.0.1 "-Ddubbo.protocol.port=$(dubbo_port "$3")" \
    "-Ddubbo.services=$service"
}

end_agent() {
  local pid
  pid=$(pid_of "$1")
  kill -TERM "$pid"
  wait "$pid" || die "$1 ended with status $?"
}

start_load() {
  start "load-$1" "$java" -XX:+UseSerialGC -cp "$(jar_of testing/benchmark)" io.dubbomesh.benchmark.client.Load --target "127.0.0.1:$2" \
    --rate "$rate" --seconds "$seconds" --executed "$work/calls-${sizes[0]},$work/calls-${sizes[1]}"
}

# judge_load NAME: prints what became of its calls.
judge_load() {
  local pid log=$work/load-$1.log
  pid=$(pid_of "load-$1")
  wait "$pid" || fail_with_log "load-$1" "found faults"
  echo "through the consumer agent of $1: $(sed -n 's/^LEDGER //p' "$log")"
  grep -qE '^LEDGER calls=([0-9]+) good=\1;' "$log" || fail_with_log "load-$1" "has calls that failed"
}

need jdk curl
build testing/benchmark testing/demo/dubbo33 "${modules[@]}"
(
  # shellcheck disable=SC2030 # only here: build works on the other checkout
  root=$other
  build "${modules[@]}"
)
require_ports 20000 "a consumer agent" 20001 "its admin server" 20010 "a consumer agent" 20011 "its admin server" \
  "$(dubbo_port 0)" "a provider" "$(dubbo_port 1)" "a provider" "$(agent_port 0)" "a provider agent" "$(agent_port 1)" "a provider agent"
use_work_directory
mkdir "$work/registry"
# Read by start_provider: the providers write down what they execute.
# shellcheck disable=SC2034
count_calls=1
for number in 0 1; do
  start_provider "${sizes[number]}" "$(dubbo_port "$number")"
  await "provider-${sizes[number]}" 60 grep -q listening "$work/provider-${sizes[number]}.log"
done
# shellcheck disable=SC2031 # the root of this checkout
here=$root
start_provider_agent other-provider-agent "$other" 0
start_provider_agent this-provider-agent "$here" 1
start_agent other-consumer-agent "$other" consumer-agent 20000
start_agent this-consumer-agent "$here" consumer-agent 20010

start_load other 20000
start_load this 20010
sleep "$calm_seconds"
end_agent other-provider-agent
start_provider_agent upgraded-provider-agent "$here" 0
echo "a provider agent was upgraded"
sleep "$calm_seconds"
end_agent upgraded-provider-agent
start_provider_agent returned-provider-agent "$other" 0
echo "and rolled back"
judge_load other
judge_load this
