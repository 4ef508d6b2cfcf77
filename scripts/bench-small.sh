#!/usr/bin/env bash
# The agents and the baseline, each program in a control group of 0.15 processors and 128 MiB, loaded in turn at 900 requests/s.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOT'
usage: bench-small.sh [options]

--cpu 0.15        processors of each agent
--memory 128      MiB of each agent
--period 50       milliseconds in which an agent may use its processors: one that has used them up stops until the end
--rate 900        requests/s, of as many connections as calls of 50 ms need
--seconds 20      of a round
--rounds 3        of each side; the order is reversed each time
--warmup 60       seconds under load, for each side; half of them without bounds of the processors

A stub provider of 50 ms a call, wrk and the registry have no bounds. Needs root, and control groups of version 1 or 2.
Of each round it prints requests/s, the latency, and of each agent CPU per request, periods in which it was stopped, for how long in all, and the
most memory that its group held. The exit status is 0 only if all answers were right and the agents' p99 is at most 1.5 times the baseline's.
EOT
}

cpu=0.15
memory=128
period=50
rate=900
seconds=20
rounds=3
warmup=60
most_ratio=1.5
while (($#)); do
  case $1 in
    --cpu | --memory | --period | --rate | --seconds | --rounds | --warmup)
      (($# > 1)) || die "$1 needs a value"
      [[ $2 =~ ^[0-9]+(\.[0-9]+)?$ && ($1 == --cpu || $2 != *.*) ]] || die "$1: $2 (expected: a number)"
      [[ $2 =~ [1-9] ]] || die "$1: $2 (expected: more than 0)"
      printf -v "${1#--}" %s "$2"
      shift
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) die "$1 (expected: an option, see bench-small.sh --help)" ;;
  esac
  shift
done
connections=$(((rate * 50 + 999) / 1000))

# --- control groups ----------------------------------------------------------

groups=/sys/fs/cgroup
group_name=dubbo-mesh-$$

# What the system delegated before this script, with version 2.
delegated=''

# group_paths GROUP: the directories of a group, that of the processor time and that of the memory; one and the same with version 2.
group_paths() {
  if [[ -f $groups/cgroup.controllers ]]; then
    cpu_group=$groups/$group_name/$1
    memory_group=$cpu_group
  else
    cpu_group=$groups/cpu/$group_name/$1
    memory_group=$groups/memory/$group_name/$1
  fi
}

make_groups() {
  ((EUID == 0)) || die "needs root, for control groups"
  local program
  if [[ -f $groups/cgroup.controllers ]]; then
    mkdir "$groups/$group_name" || die "no control groups can be made below $groups"
    delegated=$(cat "$groups/cgroup.subtree_control")
    echo '+cpu +memory' >"$groups/cgroup.subtree_control" && echo '+cpu +memory' >"$groups/$group_name/cgroup.subtree_control" ||
      die "the controllers cpu and memory of $groups cannot be used here"
  else
    [[ -f $groups/cpu/cpu.cfs_quota_us && -d $groups/memory ]] || die "no control groups with cpu and memory below $groups"
  fi
  for program in provider-agent consumer-agent baseline-provider baseline-consumer; do
    group_paths "$program"
    mkdir -p "$cpu_group" "$memory_group" || die "no control group can be made: $cpu_group"
    if [[ -f $cpu_group/cpu.max ]]; then
      echo $((memory << 20)) >"$memory_group/memory.max"
    else
      echo $((period * 1000)) >"$cpu_group/cpu.cfs_period_us"
      echo $((memory << 20)) >"$memory_group/memory.limit_in_bytes"
    fi
  done
}

# limit GROUP PROCESSORS
limit() {
  group_paths "$1"
  local quota
  quota=$(awk -v cpu="$2" -v period="$period" 'BEGIN { printf "%d", cpu * period * 1000 }')
  if [[ -f $cpu_group/cpu.max ]]; then
    echo "$quota $((period * 1000))" >"$cpu_group/cpu.max"
  else
    echo "$quota" >"$cpu_group/cpu.cfs_quota_us"
  fi
}

# The system needs a moment until a group whose last process has ended is empty.
remove_group() {
  [[ ! -d $1 ]] || rmdir "$1" 2>/dev/null || { sleep 0.3; rmdir "$1" 2>/dev/null || true; }
}

remove_groups() {
  local program
  for program in provider-agent consumer-agent baseline-provider baseline-consumer; do
    group_paths "$program"
    remove_group "$cpu_group"
    remove_group "$memory_group"
  done
  remove_group "${cpu_group%/*}"
  remove_group "${memory_group%/*}"
  for program in cpu memory; do
    [[ ! -f $groups/cgroup.controllers || " $delegated " == *" $program "* ]] || echo "-$program" >"$groups/cgroup.subtree_control" 2>/dev/null || true
  done
}

# use_of GROUP: microseconds of processor time, periods in which it was stopped, microseconds for which it was.
use_of() {
  group_paths "$1"
  local used
  if [[ -f $cpu_group/cpu.max ]]; then
    awk '{ at[$1] = $2 } END { print at["usage_usec"], at["nr_throttled"], at["throttled_usec"] }' "$cpu_group/cpu.stat"
  else
    # Processor time is counted in a hierarchy of its own: that of the process is the same.
    used=$(awk -v hertz="$(getconf CLK_TCK)" '{ print int(($14 + $15) * 1000000 / hertz) }' "/proc/$(head -1 "$cpu_group/cgroup.procs")/stat")
    awk -v used="$used" '{ at[$1] = $2 } END { printf "%d %d %d\n", used, at["nr_throttled"], at["throttled_time"] / 1000 }' "$cpu_group/cpu.stat"
  fi
}

peak_mib() {
  group_paths "$1"
  local file=$memory_group/memory.peak
  [[ -f $file ]] || file=$memory_group/memory.max_usage_in_bytes
  echo $(($(cat "$file") >> 20))
}

# start_in GROUP COMMAND...
start_in() {
  group_paths "$1"
  # shellcheck disable=SC2016 # the inner shell expands it
  start "$1" bash -c 'echo $$ >"$1/cgroup.procs"; echo $$ >"$2/cgroup.procs"; shift 2; exec "$@"' in-group "$cpu_group" "$memory_group" "${@:2}"
}

# --- sides -------------------------------------------------------------------

sides=(mesh baseline)
declare -A url=([mesh]=http://127.0.0.1:20000 [baseline]=http://127.0.0.1:20100)
declare -A programs=([mesh]='consumer-agent provider-agent' [baseline]='baseline-consumer baseline-provider')

start_sides() {
  local heap='-XX:MaxRAMPercentage=30 -XX:MaxDirectMemorySize='$((memory * 3 / 10))m
  make -s -C "$root/testing/benchmark/baseline" BIN="$work/baseline"
  mkdir "$work/registry"
  start stub "$java" -XX:+UseSerialGC -Xms64m -Xmx64m -Dport=20880 -Ddelay.ms=50 -jar "$(jar_of testing/benchmark)"
  await stub 30 grep -q listening "$work/stub.log"
  # shellcheck disable=SC2086 # lists of words
  start_in provider-agent "$java" $agent_jvm $(version_flags) $heap "$(archive_flag provider-agent)" ${JAVA_OPTS:-} \
    "-Dregistry=file:$work/registry" -Dserver.host=127.0.0.1 -Dadvertise.host=127.0.0.1 "-Ddubbo.services=$service" -jar "$(jar_of provider-agent)"
  # shellcheck disable=SC2086 # lists of words
  start_in consumer-agent "$java" $agent_jvm $(version_flags) $heap "$(archive_flag consumer-agent)" ${JAVA_OPTS:-} \
    "-Dregistry=file:$work/registry" -jar "$(jar_of consumer-agent)"
  start_in baseline-provider "$work/baseline/baseline-provider" 30100 20880
  await baseline-provider 10 grep -q listening "$work/baseline-provider.log"
  start_in baseline-consumer "$work/baseline/baseline-consumer" 20100 30100
  await baseline-consumer 10 grep -q listening "$work/baseline-consumer.log"
  await provider-agent 60 get http://127.0.0.1:30001/readyz
  await consumer-agent 60 get http://127.0.0.1:20001/readyz
}

# load SIDE SECONDS: wrk's line of figures.
load() {
  wrk -t1 -c"$connections" -d"$2s" --latency -s "$root/testing/benchmark/wrk/form.lua" "${url[$1]}" | grep '^RESULT' ||
    die "$1: wrk gave no result"
}

figure() {
  [[ $1 =~ \ $2=([0-9.]+) ]] && echo "${BASH_REMATCH[1]}"
}

# measure ROUND SIDE
measure() {
  local program before=() after=() result i line
  for program in ${programs[$2]}; do before+=("$(use_of "$program")"); done
  result=$(load "$2" "$seconds")
  for program in ${programs[$2]}; do after+=("$(use_of "$program")"); done
  line=$(awk -v round="$1" -v side="$2" -v n="$(figure "$result" requests)" -v s="$seconds" -v p50="$(figure "$result" p50_us)" \
    -v p99="$(figure "$result" p99_us)" 'BEGIN { printf "round %s  %-8s  %d/s, p50 %.1f ms, p99 %.1f ms", round, side, n / s, p50 / 1000, p99 / 1000 }')
  i=0
  for program in ${programs[$2]}; do
    line+=$(awk -v n="$(figure "$result" requests)" -v name="$program" -v mib="$(peak_mib "$program")" -v a="${before[i]}" -v b="${after[i]}" \
      'BEGIN { split(a, x); split(b, y); printf "; %s %.0f us/request, stopped %d times for %d ms, %d MiB", name, (y[1] - x[1]) / n, y[2] - x[2], (y[3] - x[3]) / 1000, mib }')
    ((++i))
  done
  echo "$line"
  p99s[$2]+=" $(figure "$result" p99_us)"
  errors=$((errors + $(figure "$result" socket_errors) + $(figure "$result" timeouts) + $(figure "$result" bad_statuses)))
}

median() {
  tr ' ' '\n' <<<"$1" | grep . | sort -n | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'
}

need jdk wrk cc make
build testing/benchmark provider-agent consumer-agent
archive
require_ports 20000 "the consumer agent" 20001 "its admin server" 30000 "the provider agent" 30001 "its admin server" 20880 "the stub provider" \
  20100 "the baseline" 30100 "the baseline"
use_work_directory
trap 'clean_up; remove_groups' EXIT
make_groups
declare -A p99s=([mesh]='' [baseline]='')
errors=0
start_sides
for side in "${sides[@]}"; do
  load "$side" $((warmup / 2)) >/dev/null
done
for side in "${sides[@]}"; do
  for program in ${programs[$side]}; do limit "$program" "$cpu"; done
  load "$side" $((warmup - warmup / 2)) >/dev/null
done
for ((round = 1; round <= rounds; round++)); do
  order=("${sides[@]}")
  ((round % 2)) || order=(baseline mesh)
  for side in "${order[@]}"; do measure "$round" "$side"; done
done
mesh=$(median "${p99s[mesh]}")
baseline=$(median "${p99s[baseline]}")
ratio=$(awk -v a="$mesh" -v b="$baseline" 'BEGIN { printf "%.2f", a / b }')
echo "p99 of the agents $ratio times the baseline's (wanted: at most $most_ratio), $errors wrong answers; $cpu processors, $memory MiB each, periods of $period ms"
((errors == 0)) && awk -v ratio="$ratio" -v most="$most_ratio" 'BEGIN { exit ratio > most }'
