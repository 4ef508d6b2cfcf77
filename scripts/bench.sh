#!/usr/bin/env bash
# Measures the whole mesh on this machine: installs and builds what is missing, and starts the harness of the benchmark module.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOF'
usage: bench.sh SCENARIO [options]

contest      three real Dubbo providers of 50 ms a call, as in 2018; closed loop; the mesh and the baseline
saturate     the same against a stub provider without delay: one pair of agents, limits raised so that all connections fit
reference    saturate, in turn with direct calls by Dubbo 2 and by Triple, the baseline, and nginx as a reverse proxy before a fixed answer
security     saturate without protection, in turn with a token of the mesh, with TLS between the agents, and with tokens and JWTs of callers
pipeline     256 connections that send 1, 16 or 256 requests in one write
sizes        parameters of 10 B, 1 KB, 100 KB and 1 MB
connections  100 to 20,000 connections, idle and with one call a second each: memory per connection, latency
transport    epoll, io_uring and nio, one event loop and two, with a delay and without
rates        50, 250 and 500 connections at 50 ms a call, one event loop and two, in turn with the baseline: 1,000, 5,000 and 10,000 requests/s, which
             leave the machine time, so that the cost is that of waking up
front        nginx before the consumer agent, with and without connections that are kept alive
gc           5 minutes of 10,000 requests/s on a heap of 64 MB: collections, pauses, bytes allocated per request
soak         saturate for minutes; samples each agent's memory, fails if it grows by more than 5 % after the second minute
start        from the start of each agent until it is ready; CPU time and memory then; the latency of the first 1,000 requests
guard        what an agent costs in comparison with the reference commit (testing/benchmark/reference.commit): CPU and bytes per request, memory, start;
             fails if a request takes more CPU time than there. Five minutes, and one more to build the reference the first time

balance      four real Dubbo providers that compute, held to 0.75, 0.35, 0.35 and 0.35 of a core by control groups (needs root), each strategy of lb
             in turn, beside what simulate.sh four-providers says
balance-faults   ten stubs of 50 ms; after a while one is ten times slower, then two, then one answers errors at once; each strategy in turn
balance-contest  the contest's shape, a quarter of it: stubs of 28, 50 and 50 threads, 128 connections; each strategy with told weights and with auto

Each scenario has its own defaults of these:
--connections 128,256,512   one point of the comparison for each (soak, gc: the most of them)
--seconds 20                of a round
--warmup 30                 seconds under load for each side, before it is loaded further until it is steady
--rounds 3                  of each side at each point; the order of the sides is reversed each time
--weights 112,200,200       as many providers as weights, at most ten
--provider dubbo|stub       real providers of 50 ms or stubs, which have the scenario's delay
--minutes 10                of soak and gc
--xmx 128m                  heap of each agent
--sides mesh,baseline          only these (reference: of mesh, direct, direct-tri, baseline, nginx; security: of plain, mesh-token, mtls, http-token, jwt; balance: strategies)
--before DIR                saturate, guard: the agents of another checkout, in turn with these; the ratio of their CPU per request, by pairs of rounds
--keep-logs                 leaves the programs' logs and says where

CPU per request is that of a program divided by all requests of the round, including those for other programs.
A round during which other programs used more than 5 % of the machine's CPU is marked.
Reports are left as build/bench/DATE-SCENARIO.html and .json. The exit status is 0 only if every answer was right.
EOF
}

# The 2018 benchmark's providers had heaps of 1 to 3 GB.
provider_heap=1g
stub_flags=(-XX:+UseSerialGC -Xms64m -Xmx64m)
# For 20,000 connections, and as many again on the side of who opens them, which is another process.
open_files=65536

scenario=${1:-}
tools=(jdk wrk)
modules=(testing/benchmark provider-agent consumer-agent)
case $scenario in
  contest | balance) modules+=(testing/demo/dubbo33) ;;
  reference | front) tools+=(nginx) ;;
  saturate | security | pipeline | sizes | connections | transport | rates | gc | soak | start) ;;
  balance-faults | balance-contest) ;;
  guard) tools+=(etcd) ;;
  -h | --help)
    usage
    exit 0
    ;;
  '')
    usage >&2
    exit 1
    ;;
  *) die "$scenario (expected: a scenario, see bench.sh --help)" ;;
esac
case $scenario in
  contest | reference | rates) tools+=(cc make) ;;
  security) tools+=(openssl) ;;
esac
[[ " $* " != *" --provider dubbo "* || $scenario == contest ]] || modules+=(testing/demo/dubbo33)

before=
for ((i = 2; i < $#; i++)); do
  if [[ ${!i} == --before && $scenario =~ ^(saturate|guard)$ ]]; then
    before=${*:i+1:1}
    [[ -f $before/consumer-agent/pom.xml ]] || die "--before: $before (expected: the directory of another checkout)"
  fi
done

if [[ $scenario == guard && -z $before ]]; then
  commit=$(<"$root/testing/benchmark/reference.commit")
  before=$root/build/reference-${commit:0:8}
  if [[ ! -f $before/consumer-agent/pom.xml ]]; then
    need git
    git -C "$root" worktree prune
    git -C "$root" worktree add --quiet --detach "$before" "$commit" ||
      die "commit $commit, which is the reference, could not be checked out (expected: a clone with its history: git fetch --unshallow)"
  fi
  set -- "$@" --before "$before"
fi

[[ -r /proc/self/stat ]] || die "CPU and memory are read from /proc, which this system does not have"
need "${tools[@]}"
build "${modules[@]}"
archive
if [[ -n $before ]]; then
  (
    # shellcheck disable=SC2030 # only here: build and archive work on the other checkout
    root=$(cd "$before" && pwd)
    build provider-agent consumer-agent
    # As its launchers make them: older ones make one of each agent.
    # shellcheck disable=SC1091 # may be another version of ours
    source "$root/dist/src/lib/launch.sh"
    if grep -q '^make_archives()' "$root/dist/src/lib/launch.sh"; then
      archive
    else
      for agent in provider-agent consumer-agent; do
        file=$root/$agent/target/$agent-$java_version.jsa
        [[ $file -nt $(jar_of "$agent") ]] || make_archive "$(jar_of "$agent")" "$file"
      done
    fi
  )
  # Its launchers' flags are a part of what is compared.
  before_flags=$(
    # shellcheck disable=SC1091 # may be another version of ours
    unset -f version_flags trims_native_heap
    source "$before/dist/src/lib/launch.sh"
    declare -F version_flags >/dev/null || version_flags() { :; }
    echo "$agent_jvm $(version_flags) $agent_memory"
  )
fi
ulimit -n "$open_files" 2>/dev/null || ulimit -n "$(ulimit -Hn)"
# shellcheck disable=SC2031
exec "$java" -XX:+UseSerialGC -Djava.awt.headless=true "-Dbench.root=$root" "-Dbench.agent-flags=${agent_flags[*]} ${JAVA_OPTS:-}" \
  ${before:+"-Dbench.before-flags=$before_flags ${JAVA_OPTS:-}"} \
  "-Dbench.provider-flags=${provider_flags[*]} -Xms$provider_heap -Xmx$provider_heap" \
  "-Dbench.stub-flags=${stub_flags[*]}" -cp "$(jar_of testing/benchmark)" io.dubbomesh.benchmark.scenario.Bench "$@"
