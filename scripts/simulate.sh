#!/usr/bin/env bash
# Simulates consumer agents and providers in virtual time: which strategy of lb holds the tail.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOT'
usage: simulate.sh [SCENARIO] [options]

linkerd-2016   one client, 1,000 requests/s, 11 servers of 167 ms, one of them 2 s for half of a minute, as linkerd published it in 2016
prequal-ramp   100 clients and 100 servers, load from 0.75 to 1.74 of what the servers are allocated, as the paper of Prequal has it (NSDI 2024)
ramp-neighbours  a step of that, by what is assumed of the others on the servers' machines
one-slow       ten endpoints of 50 ms, one of which becomes ten times slower
two-slow       the same with two
fast-errors    the same with one that answers errors in a millisecond
fast-exceptions  the same with one whose service throws an exception in a millisecond
one-dies       the same with one whose process ends, and another starts after ten seconds
contest        providers of 112, 200 and 200 threads and 50 ms, 512 connections; with these weights, without, and with unknown limits
four-providers four providers held to 0.75, 0.35, 0.35 and 0.35 of a core, as bench.sh balance measures them with real processes
fleet          1,000 consumer agents, 10,000 endpoints, subsets of 20, a tenth of the endpoints replaced in a minute

Without SCENARIO it is linkerd-2016. Each strategy has a row for each phase. The same seed gives the same figures.

--seeds 5          runs with other random numbers; the interval has the median of the success over them with 95 % (six seeds and more)
--strategy NAME    only this one
--json FILE        the rows as JSON
--plots DIR        prequal-ramp: p99 by load as DIR/prequal-ramp.svg
EOT
}

case ${1:-} in
  -h | --help)
    usage
    exit 0
    ;;
esac

need jdk
build testing/benchmark
exec "$java" -XX:+UseParallelGC -Djava.awt.headless=true -cp "$(jar_of testing/benchmark)" io.dubbomesh.benchmark.simulate.Simulate "$@"
