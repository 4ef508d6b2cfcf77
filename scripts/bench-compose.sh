#!/usr/bin/env bash
# The benchmark in containers: builds the images, starts the composition, loads it with wrk, prints a table, and takes all down again.
source "$(dirname "${BASH_SOURCE[0]}")/composition.sh"

usage() {
  cat <<'END'
usage: bench-compose.sh [--seconds 20] [--warmup 60] [--connections 128,256,512] [--keep]

--seconds 20               of a round
--warmup 60                seconds under load before the first; meanwhile answers are compared, by four connections more
--connections 128,256,512  one round for each
--keep                     leaves the composition running; the next run takes it over

The bases of the images are those of docker/.env (docker/base.sh makes them on a machine that can pull none), else the official ones.
The table is left in build/bench too. The exit status is 0 only if every answer was right.
END
}

seconds=20
warmup=60
connections=128,256,512
keep=0
while (($#)); do
  case $1 in
    --seconds | --warmup)
      [[ ${2:-} =~ ^[1-9][0-9]{0,3}$ ]] || die "$1: ${2:-nothing} (expected: 1-9999)"
      declare "${1#--}=$2"
      shift
      ;;
    --connections)
      [[ ${2:-} =~ ^[1-9][0-9]{0,4}(,[1-9][0-9]{0,4})*$ ]] || die "$1: ${2:-nothing} (expected: numbers by comma)"
      connections=$2
      shift
      ;;
    --keep) keep=1 ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) die "$1 (expected: an option, see --help)" ;;
  esac
  shift
done
IFS=, read -ra points <<<"$connections"

url=http://consumer-agent:20000
provider_ms=50

# wrk NAME VARIABLES ARGUMENT...: its output in $work/NAME.
wrk() {
  local name=$1 variables=$2
  shift 2
  # shellcheck disable=SC2086 # -e NAME=VALUE
  mesh_compose run -T --rm --no-deps $variables bench "$@" "$url" >"$work/$name" 2>"$work/$name.err" </dev/null ||
    { cat "$work/$name.err" "$work/$name" >&2; die "wrk failed"; }
  grep -q '^RESULT ' "$work/$name" || { cat "$work/$name.err" "$work/$name" >&2; die "wrk left no result"; }
}

# value NAME KEY: of the result that wrk left.
value() {
  sed -nE "s/^RESULT .*\b$2=(-?[0-9]+).*/\1/p" "$work/$1"
}

errors_of() {
  echo $(($(value "$1" socket_errors) + $(value "$1" timeouts) + $(value "$1" bad_statuses)))
}

# CPU time of the service's process until now, in milliseconds.
cpu_ms() {
  local fields tick
  tick=$(getconf CLK_TCK)
  read -ra fields < <(sed 's/^.*) //' "/proc/$(docker inspect -f '{{.State.Pid}}' "$(container "$1")")/stat")
  echo $(((fields[11] + fields[12]) * 1000 / tick))
}

resident_mib() {
  awk '/^VmRSS:/ { print int($2 / 1024 + 0.5) }' "/proc/$(docker inspect -f '{{.State.Pid}}' "$(container "$1")")/status"
}

# From the start of its container until it is ready, in milliseconds. Polled within the container, since one docker exec takes as long as
# the agent.
start_ms() {
  local id started
  id=$(container "$1")
  docker restart -t 10 "$id" >/dev/null
  docker exec "$id" bash -c "until healthcheck $(admin_port_of "$1") >/dev/null 2>&1; do sleep 0.02; done"
  started=$(docker inspect -f '{{.State.StartedAt}}' "$id")
  echo $((($(date +%s%N) - $(date -d "$started" +%s%N)) / 1000000))
}

# First a few connections, since cold JVMs would let many requests time out. Then the most connections, and four that compare.
check_answers() {
  local checked wrong errors load
  wrk cold '' -t2 -c16 "-d$((warmup / 3 + 1))s" -T5 --latency
  wrk warm '' -t2 "-c${points[-1]}" "-d$((warmup * 2 / 3 + 1))s" -T5 --latency &
  load=$!
  wrk check '-e CHECK=1' -t4 -c4 "-d$((warmup * 2 / 3 + 1))s" -T5 --latency
  wait "$load"
  checked=$(value check checked)
  wrong=$(value check wrong)
  errors=$(($(errors_of cold) + $(errors_of warm) + $(errors_of check)))
  echo "warm-up: $checked answers compared, $wrong wrong, $errors errors"
  ((checked > 0 && wrong == 0 && errors == 0))
}

round() {
  local count=$1 agent before=0 after=0 requests duration errors
  for agent in "${composed_agents[@]}"; do before=$((before + $(cpu_ms "$agent"))); done
  wrk "round-$count" '' -t2 "-c$count" "-d${seconds}s" -T5 --latency
  for agent in "${composed_agents[@]}"; do after=$((after + $(cpu_ms "$agent"))); done
  requests=$(value "round-$count" requests)
  duration=$(value "round-$count" duration_us)
  errors=$(errors_of "round-$count")
  awk -v count="$count" -v requests="$requests" -v us="$duration" -v errors="$errors" -v cpu="$((after - before))" -v delay="$provider_ms" \
    -v p50="$(value "round-$count" p50_us)" -v p99="$(value "round-$count" p99_us)" 'BEGIN {
      rate = requests * 1000000 / us
      printf "%11d  %10.0f  %8.1f %%  %6.1f ms  %6.1f ms  %14.0f us  %6d\n",
        count, rate, 100 * rate * delay / 1000 / count, p50 / 1000, p99 / 1000, cpu * 1000 / requests, errors }'
  ((errors == 0))
}

need jdk mvn
use_composition dubbomesh-bench docker-compose.yml bench.yml
echo "starting"
start_composition

good=1
mkdir -p "$root/build/bench"
report=$root/build/bench/$(date +%Y%m%d-%H%M%S)-compose.txt
{
  check_answers || good=0
  echo
  echo "connections  requests/s    of limit        p50        p99    CPU of the agents  errors"
  for point in "${points[@]}"; do
    round "$point" || good=0
  done
  echo
  echo "resident memory after ${points[-1]} connections"
  for agent in "${composed_agents[@]}"; do
    printf '  %-22s %4d MiB\n' "$agent" "$(resident_mib "$agent")"
  done
  echo "from the container's start until ready"
  for agent in consumer-agent provider-agent-small; do
    printf '  %-22s %4d ms\n' "$agent" "$(start_ms "$agent")"
  done
  ((good)) || echo "there were wrong answers or errors"
  ((good))
} | tee "$report"
