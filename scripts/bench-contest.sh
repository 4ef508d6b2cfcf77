#!/usr/bin/env bash
# The 2018 layout on this machine, with our agents and with the baseline instead of them, loaded in turn as the benchmark did.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOF'
usage: bench-contest.sh [options]

--seconds 60   of a round
--rounds 3     at each of 128, 256 and 512 connections, for either pair of agents; the order is reversed each time
--warmup 600   seconds at most, for either pair: half of them without quotas, then until requests/s and CPU per request are steady
--cores N      that the containers share, this machine's by default: etcd 5 %, the consumer 45 %, the providers 7.5, 15 and 22.5 %
--build        makes the images again
--ours         without the baseline
--keep         leaves the containers running

The report is left as build/bench/DATE-contest2018.txt and .json. The exit status is 0 only if our agents made no error.
See docs/results/contest.md.
EOF
}

seconds=60
rounds=3
warmup=600
cores=$(getconf _NPROCESSORS_ONLN)
again=0
wrk_image=dubbomesh/bench:${TAG:-0.4.0}
keep=0
sides=(ours baseline)

number() {
  [[ $2 =~ ^[1-9][0-9]{0,4}$ ]] || die "$1: $2 (expected: a whole number from 1 to 99999)"
  echo "$2"
}

while (($#)); do
  case $1 in
    --seconds | --rounds | --warmup | --cores)
      (($# > 1)) || die "$1 needs a value"
      printf -v "${1#--}" %s "$(number "$1" "$2")"
      shift
      ;;
    --build) again=1 ;;
    --ours) sides=(ours) ;;
    --keep) keep=1 ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) die "$1 (expected: an option, see bench-contest.sh --help)" ;;
  esac
  shift
done

# --- images ------------------------------------------------------------------

image() {
  local name=$1
  shift
  if ((!again)) && docker image inspect "$name" >/dev/null 2>&1; then
    return
  fi
  echo "making $name"
  docker build -q -t "$name" "$@" "$work/image" >/dev/null
}

images() {
  local layout=$root/docker/contest
  build dist testing/demo/dubbo26 testing/demo/mesh-consumer testing/benchmark
  mkdir "$work/image"
  cp "$(jar_of dist)" "$(jar_of testing/demo/mesh-consumer)" "$root/dist/src/lib/launch.sh" "$layout"/*.sh "$work/image"
  cp "$(jar_of testing/demo/dubbo26)" "$work/image/mesh-provider.jar"
  cp -r "$root/testing/benchmark/baseline" "$work/image"
  mkdir "$work/image/benchmark"
  cp -r "$root/testing/benchmark/wrk" "$work/image/benchmark"
  image "$wrk_image" -f "$root/docker/Dockerfile" --target bench ${WRK_BASE:+--build-arg "WRK_BASE=$WRK_BASE"}
  image dubbomesh/contest-services -f "$layout/Dockerfile.services"
  image dubbomesh/contest -f "$layout/Dockerfile" --target contest ${JRE_BASE:+--build-arg "RUNNER=$JRE_BASE"}
  image dubbomesh/contest-baseline -f "$layout/Dockerfile.baseline" ${BUILD_BASE:+--build-arg "BUILD_BASE=$BUILD_BASE"}
}

# --- compositions ------------------------------------------------------------

# The period is 50 ms: a share of a thousandth of the processors is 50 us of each.
quotas() {
  cat <<EOF
version: "2.4"
services:
  etcd: { cpu_quota: $((cores * 2500)) }
  consumer: { cpu_quota: $((cores * 22500)) }
  provider-small: { cpu_quota: $((cores * 3750)) }
  provider-medium: { cpu_quota: $((cores * 7500)) }
  provider-large: { cpu_quota: $((cores * 11250)) }
EOF
}

# compose_of SIDE ARGUMENT...
compose_of() {
  local image=dubbomesh/contest port=8087 subnet=${SUBNET:-10.10.10.0/24}
  if [[ $1 == baseline ]]; then
    image=dubbomesh/contest-baseline
    port=8088
    subnet=${BASELINE_SUBNET:-10.10.11.0/24}
  fi
  CONTEST_IMAGE=$image CONSUMER_PORT=$port SUBNET=$subnet compose -p "contest-$1" \
    -f "$root/docker/contest/docker-compose.yml" -f "$work/quotas.yml" "${@:2}"
}

up() {
  local url=http://127.0.0.1:8087/invoke end=$((SECONDS + 300))
  [[ $1 == ours ]] || url=http://127.0.0.1:8088/invoke
  echo "starting $1"
  compose_of "$1" up -d >"$work/up-$1.log" 2>&1 || fail_with_log "up-$1" "failed"
  until get "$url" 2>/dev/null; do
    ((SECONDS < end)) || die "$1: no good answer from $url in 300 s"
    sleep 1
  done
}

down() {
  local side
  trap '' INT TERM
  for side in "${sides[@]}"; do
    docker rm -f "contest-$side-wrk" >/dev/null 2>&1 || true
    compose_of "$side" down -v -t 1 >/dev/null 2>&1 || true
  done
}

finish() {
  ((keep)) || down
  clean_up
}

need jdk curl
require_engine
use_work_directory
if [[ -f $root/docker/.env ]]; then
  set -a
  # shellcheck source=/dev/null
  source "$root/docker/.env"
  set +a
fi
# Docker gives a container at most as many open files as this script may have.
OPEN_FILES=$(ulimit -Hn)
[[ $OPEN_FILES != unlimited ]] && ((OPEN_FILES < 20480)) || OPEN_FILES=20480
export OPEN_FILES
images
quotas >"$work/quotas.yml"
trap finish EXIT
arguments=()
for side in "${sides[@]}"; do
  up "$side"
  arguments+=("$side=contest-$side")
done
"$java" -XX:+UseSerialGC "-Dbench.root=$root" -cp "$(jar_of testing/benchmark)" io.dubbomesh.benchmark.layout.ContestLayout \
  "$seconds" "$rounds" "$warmup" "$wrk_image" "${arguments[@]}"
