#!/usr/bin/env bash
# Makes faults, one row of docs/results/reliability.md after the other, with real processes, and measures what clients see of them.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOT'
usage: chaos.sh [options] [ROW...]

Runs the rows with these ids (all, if none is named; F1-tri is F1 with providers of Triple), in namespaces of Linux that nothing outside sees, and writes docs/results/reliability.md.
The exit status is 0 only if every row passed.

--quick       only the rows that run with the tests; short phases of load, nothing is written
--brief       short phases of load, nothing is written: to see whether a row works
--minutes 10  how long the soak (L2) lasts
--list        prints what the rows do, and ends

The logs of each row's processes are left in build/chaos/ROW/.
EOT
}

# More than it takes on two cores.
mutation_seconds=2700
races_seconds=420
replay_seconds=900
versions_seconds=600
all=1
mutation=0
races=0
corpora=0
parsers=0
versions=0
clock=0
flood=0
for argument; do
  case $argument in
    -h | --help)
      usage
      exit 0
      ;;
    --quick | --list) all=0 ;;
    [A-Za-z]*)
      all=0
      [[ ${argument^^} != L3 ]] || races=1
      [[ ${argument^^} != L4 ]] || mutation=1
      [[ ${argument^^} != P7 ]] || corpora=1
      [[ ${argument^^} != P8 ]] || parsers=1
      [[ ${argument^^} != S6 ]] || versions=1
      [[ ${argument^^} != E5 ]] || clock=1
      [[ ${argument^^} != H12 ]] || flood=1
      ;;
  esac
done

cd "$root"
[[ $(uname -s) == Linux ]] || die "needs Linux: network namespaces and nftables"
need jdk ip nft ss ps unshare etcd openssl
if ((all || clock)); then
  need faketime
fi
if ((all || flood)); then
  need hping3
fi
build testing/chaos provider-agent consumer-agent testing/demo/dubbo33
archive

# These rows need Maven and its repository, and no fault: they are measured here, and the rows read the results.
if ((all || races)); then
  rm -rf build/races
  timeout "$races_seconds" scripts/races.sh || echo "L3 did not pass or was not measured: scripts/races.sh ended with status $?" >&2
fi
if ((all || mutation)); then
  rm -rf loadbalance/target/mutation protocol/target/mutation
  timeout "$mutation_seconds" scripts/mutation.sh || echo "L4 was not measured: scripts/mutation.sh ended with status $?" >&2
fi
if ((all || corpora)); then
  rm -f build/replay/corpora
  timeout "$replay_seconds" scripts/replay.sh corpora || echo "P7 did not pass or was not measured: scripts/replay.sh ended with status $?" >&2
fi
if ((all || parsers)); then
  rm -f build/replay/parsers
  timeout "$replay_seconds" scripts/replay.sh parsers || echo "P8 did not pass or was not measured: scripts/replay.sh ended with status $?" >&2
fi
if ((all || versions)); then
  rm -rf build/minimum-versions
  timeout "$versions_seconds" scripts/minimum-versions.sh || echo "S6 did not pass or was not measured: scripts/minimum-versions.sh ended with status $?" >&2
fi

open_files=65536
ulimit -n "$open_files" 2>/dev/null || ulimit -n "$(ulimit -Hn)"

as_root=()
((EUID == 0)) || as_root=(--user --map-root-user)
unshare ${as_root[@]+"${as_root[@]}"} --net --mount --pid --fork true 2>/dev/null ||
  die "cannot make namespaces (expected: root, or a user who may make user namespaces)"

# Everything that is started ends with the first process of the PID namespace; the network namespace ends with the last process in it.
# /run is private, since "ip netns" keeps names there.
# shellcheck disable=SC2016 # the inner shell expands it
unshare ${as_root[@]+"${as_root[@]}"} --net --mount --pid --fork --kill-child --mount-proc bash -c '
  mount -t tmpfs none /run && ip link set lo up && exec "$@"' chaos \
  "$java" -XX:+UseSerialGC -XX:-UsePerfData -Xmx1g -Dio.netty.machineId=02:00:00:00:00:00:00:01 "-Dchaos.root=$root" "-Dchaos.agent-flags=${agent_flags[*]} ${JAVA_OPTS:-}" \
  -jar "$(jar_of testing/chaos)" "$@" &
runner=$!
# unshare itself ignores these signals; its end ends everything.
trap 'kill -KILL "$runner" 2>/dev/null || true; exit 130' INT
trap 'kill -KILL "$runner" 2>/dev/null || true; exit 143' TERM
wait "$runner"
