#!/usr/bin/env bash
# Measures the whole mesh on this machine.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOF'
usage: bench.sh SCENARIO [options]

contest    three real Dubbo providers of 50 ms a call; closed loop
saturate   the same against a stub provider without delay: one pair of agents, limits raised so that all connections fit
soak       saturate for minutes; samples each agent's memory, fails if it grows by more than 5 % after the second minute

--connections 128,256,512   one round for each (soak: the last one only)
--seconds 20                of a round
--warmup 30                 seconds before the first round
--weights 112,200,200       as many providers as weights, at most three (saturate and soak: 1)
--provider dubbo|stub       contest with a stub of 50 ms instead of real providers, or saturate with a real provider
--minutes 10                of soak
--xmx 128m                  heap of each agent
--keep-logs                 leaves the processes' logs and says where

CPU per request is that of a process divided by all requests of the round, whichever process they went to.
A round during which other programs used more than 5 % of the machine's CPU is marked.
A report is left as build/bench/DATE-SCENARIO.json.
EOF
}

delay_ms=50
# The 2018 benchmark's providers had heaps of 1 to 3 GB.
provider_heap=1g
max_growth_percent=5
# The same round of the same program differed by 40 % in CPU per request while builds ran beside it.
max_foreign_percent=5

# --- options -----------------------------------------------------------------

scenario=${1:-}
case $scenario in
  contest)
    provider=dubbo
    weights=(112 200 200)
    ;;
  saturate | soak)
    provider=stub
    weights=(1)
    ;;
  -h | --help)
    usage
    exit 0
    ;;
  '')
    usage >&2
    exit 1
    ;;
  *) die "$scenario (expected: contest, saturate or soak)" ;;
esac
shift

connections=(128 256 512)
seconds=20
# As the 2018 benchmark's: with less, the first round still measures compilers at work.
warmup=30
minutes=10
xmx=

# numbers KEY VALUE: sets list to comma-separated whole numbers.
numbers() {
  [[ $2 =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || die "$1: $2 (expected: whole numbers from 1, separated by commas)"
  IFS=, read -ra list <<<"$2"
}

while (($#)); do
  case $1 in
    --keep-logs)
      keep_logs=1
      shift
      continue
      ;;
    --connections | --seconds | --warmup | --weights | --provider | --minutes | --xmx)
      (($# > 1)) || die "$1 needs a value"
      ;;
    *) die "$1 (expected: an option, see bench.sh --help)" ;;
  esac
  case $1 in
    --connections) numbers "$1" "$2" && connections=("${list[@]}") ;;
    --weights) numbers "$1" "$2" && weights=("${list[@]}") ;;
    --seconds) numbers "$1" "$2" && seconds=${list[0]} ;;
    --warmup) numbers "$1" "$2" && warmup=${list[0]} ;;
    --minutes) numbers "$1" "$2" && minutes=${list[0]} ;;
    --provider)
      provider=$2
      [[ $provider == dubbo || $provider == stub ]] || die "--provider: $2 (expected: dubbo or stub)"
      ;;
    --xmx)
      xmx=$2
      [[ $xmx =~ ^[0-9]+[kmgKMG]$ ]] || die "--xmx: $2 (expected: a size like 128m)"
      ;;
  esac
  shift 2
done

((minutes > 2)) || die "--minutes: $minutes (expected: at least 3, since memory is compared with that after minute 2)"
most=0
for n in "${connections[@]}"; do
  if ((n > most)); then most=$n; fi
done
if [[ -n $xmx ]]; then
  agent_flags+=("-Xms$xmx" "-Xmx$xmx")
fi
if [[ $scenario == contest ]]; then
  # For lib.sh; the real provider has this delay anyway.
  export stub_delay_ms=$delay_ms
else
  # Nobody is to be refused or to wait: what is measured is the work of a call.
  provider_agent_options+=(-Dlb.limit=$((2 * most + 1024)) -Ddubbo.queue=$((2 * most + 1024)))
  consumer_agent_options+=(-Dqueue.size=$((2 * most + 1024)))
fi

# --- measuring ---------------------------------------------------------------

ticks_per_second=$(getconf CLK_TCK)

# The CPU ticks of a process. Its name may hold spaces, hence everything up to the last parenthesis is cut off.
ticks_of() {
  sed 's/^.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'
}

# The CPU ticks of the whole machine: those that were used, by anybody or by other virtual machines, and all.
machine_ticks() {
  awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9, $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9 }' /proc/stat
}

# The CPU ticks of everything that belongs to this run: this shell, what it has waited for (wrk), and the processes of the mesh.
own_ticks() {
  local i sum
  sum=$(sed 's/^.*) //' "/proc/$$/stat" | awk '{ print $12 + $13 + $14 + $15 }')
  for ((i = 0; i < ${#pids[@]}; i++)); do
    sum=$((sum + $(ticks_of "${pids[i]}")))
  done
  echo "$sum"
}

rss_kib_of() {
  awk '$1 == "VmRSS:" { print $2 }' "/proc/$1/status"
}

wrk_form() {
  wrk "$@" --timeout 10s --latency -s "$root/benchmark/wrk/form.lua" http://127.0.0.1:20000
}

# value KEY FILE: of wrk's RESULT line.
value() {
  sed -n "s/^RESULT .*\b$1=\(-\{0,1\}[0-9]*\).*/\1/p" "$2"
}

checked=0
wrong=0

# check LABEL SECONDS: under full load, compares every answer of 32 connections of its own with the hash computed by wrk's script.
check() {
  local load load_out=load-$1.out check_out=check-$1.out
  wrk_form -t2 -c"$most" -d"${2}s" >"$work/$load_out" 2>&1 &
  load=$!
  CHECK=1 wrk_form -t32 -c32 -d"${2}s" >"$work/$check_out" 2>&1 || fail_with_output "$check_out"
  wait "$load" || fail_with_output "$load_out"
  grep -m 1 WRONG "$work/$check_out" >&2 || true
  checked=$((checked + $(value checked "$work/$check_out")))
  wrong=$((wrong + $(value wrong "$work/$check_out")))
}

fail_with_output() {
  cat "$work/$1" >&2
  die "wrk failed"
}

rounds_json=()

# round COUNT: one timed round with so many connections, printed and kept for the report.
round() {
  local count=$1 before=() i name requests line processes='' qps limit=null ratio=null
  local machine_before own_before foreign
  local out=$work/wrk-$count.out
  for ((i = 0; i < ${#pids[@]}; i++)); do
    before+=("$(ticks_of "${pids[i]}")")
  done
  machine_before=$(machine_ticks)
  own_before=$(own_ticks)
  wrk_form -t2 -c"$count" -d"${seconds}s" >"$out" 2>&1 || fail_with_output "${out##*/}"
  foreign=$(awk -v before="$machine_before" -v after="$(machine_ticks)" -v own="$(($(own_ticks) - own_before))" 'BEGIN {
    split(before, b); split(after, a); percent = 100 * (a[1] - b[1] - own) / (a[2] - b[2])
    printf "%.0f", percent < 0 ? 0 : percent }')
  require_alive
  requests=$(value requests "$out")
  ((requests > 0)) || fail_with_output "${out##*/}"
  # As the 2018 benchmark counts: completed requests less bad statuses.
  qps=$(awk -v r="$requests" -v bad="$(value bad_statuses "$out")" -v us="$(value duration_us "$out")" \
    'BEGIN { printf "%.0f", (r - bad) * 1e6 / us }')
  if [[ $scenario == contest ]]; then
    limit=$((count * 1000 / delay_ms))
    ratio=$(awk -v q="$qps" -v l="$limit" 'BEGIN { printf "%.3f", q / l }')
  fi
  printf '\n%11s %8s %8s %7s %9s %9s %9s %8s %9s %10s\n' connections QPS limit ratio 'p50 ms' 'p90 ms' 'p99 ms' \
    'socket e' timeouts 'bad status'
  printf '%11d %8d %8s %7s %9s %9s %9s %8d %9d %10d\n' "$count" "$qps" "${limit/null/-}" "${ratio/null/-}" \
    "$(ms p50_us "$out")" "$(ms p90_us "$out")" "$(ms p99_us "$out")" \
    "$(value socket_errors "$out")" "$(value timeouts "$out")" "$(value bad_statuses "$out")"
  for ((i = 0; i < ${#pids[@]}; i++)); do
    name=${names[i]}
    line=$(awk -v before="${before[i]}" -v after="$(ticks_of "${pids[i]}")" -v hz="$ticks_per_second" \
      -v requests="$requests" -v kib="$(rss_kib_of "${pids[i]}")" \
      'BEGIN { printf "%.1f %.1f", (after - before) / hz * 1e6 / requests, kib / 1024 }')
    printf '  %-22s %8s us of CPU per request %8s MiB\n' "$name" "${line% *}" "${line#* }"
    processes+="${processes:+, }{\"name\": \"$name\", \"cpuUsPerRequest\": ${line% *}, \"rssMib\": ${line#* }}"
  done
  if ((foreign > max_foreign_percent)); then
    echo "  other programs used $foreign % of the machine's CPU: these figures are not fit to be compared or published"
  fi
  rounds_json+=("{\"connections\": $count, \"requests\": $requests, \"qps\": $qps, \"limit\": $limit, \"ratio\": $ratio, \
\"p50Us\": $(value p50_us "$out"), \"p90Us\": $(value p90_us "$out"), \"p99Us\": $(value p99_us "$out"), \
\"maxUs\": $(value max_us "$out"), \"socketErrors\": $(value socket_errors "$out"), \
\"timeouts\": $(value timeouts "$out"), \"badStatuses\": $(value bad_statuses "$out"), \"otherProgramsCpuPercent\": $foreign, \
\"processes\": [$processes]}")
}

ms() {
  awk -v us="$(value "$1" "$2")" 'BEGIN { printf "%.2f", us / 1000 }'
}

growth_too_large=0
memory_json=()

# Load for some minutes; after each of them the memory of each agent.
soak() {
  local load minute i name kib at_two=() at_end line
  wrk_form -t2 -c"$most" -d"$((60 * minutes))s" >"$work/soak.out" 2>&1 &
  load=$!
  for ((minute = 1; minute <= minutes; minute++)); do
    # The last sample is taken while the load still runs.
    sleep $((minute < minutes ? 60 : 58))
    require_alive
    line=
    at_end=()
    for ((i = 0; i < ${#pids[@]}; i++)); do
      name=${names[i]}
      [[ $name == *agent* ]] || continue
      kib=$(rss_kib_of "${pids[i]}")
      at_end+=("$name $kib")
      line+="  $name $((kib / 1024)) MiB"
      memory_json+=("{\"minute\": $minute, \"name\": \"$name\", \"rssKib\": $kib}")
    done
    if ((minute == 2)); then
      at_two=("${at_end[@]}")
    fi
    echo "minute $minute:$line"
  done
  wait "$load" || fail_with_output soak.out
  tail -n 1 "$work/soak.out"
  for ((i = 0; i < ${#at_two[@]}; i++)); do
    name=${at_end[i]% *}
    kib=$((100 * ${at_end[i]#* } / ${at_two[i]#* }))
    echo "$name: at the end $kib % of the memory of minute 2 (at most $((100 + max_growth_percent)))"
    if ((100 * ${at_end[i]#* } > (100 + max_growth_percent) * ${at_two[i]#* })); then
      growth_too_large=1
    fi
  done
}

join() {
  local IFS=,
  echo "$*"
}

json_text() {
  local text=${1//\\/\\\\}
  echo "${text//\"/\\\"}"
}

write_report() {
  local report
  report=$root/build/bench/$(date -u +%Y%m%dT%H%M%SZ)-$scenario.json
  mkdir -p "${report%/*}"
  cat >"$report" <<EOF
{
"scenario": "$scenario", "provider": "$provider", "weights": [$(join "${weights[@]}")], "seconds": $seconds, "warmup": $warmup,
"commit": "$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)",
"machine": {"cpu": "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)", "cores": $(nproc), "kernel": "$(uname -r)"},
"jdk": "$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.vm\.version = //p')",
"providerHeap": "$provider_heap", "agentFlags": "$(json_text "${agent_flags[*]} ${JAVA_OPTS:-}")",
"registry": "${registry%%:*}", "checked": $checked, "wrong": $wrong,
"rounds": [$(join ${rounds_json[@]+"${rounds_json[@]}"})],
"memory": [$(join ${memory_json[@]+"${memory_json[@]}"})]
}
EOF
  echo
  echo "report: $report"
}

# --- the run -----------------------------------------------------------------

[[ -r /proc/self/stat ]] || die "CPU and memory are read from /proc, which this system does not have"
need jdk curl wrk
if [[ $provider == dubbo ]]; then
  build demo provider-agent consumer-agent
else
  build benchmark provider-agent consumer-agent
fi
use_work_directory
echo "$scenario: $provider providers weighted ${weights[*]}, agents with ${agent_flags[*]} ${JAVA_OPTS:-}, provider heap $provider_heap"
start_mesh "$provider" "${weights[@]}"
echo "warm-up with $most connections, $warmup s"
check before "$warmup"
if [[ $scenario == soak ]]; then
  soak
else
  for n in "${connections[@]}"; do
    round "$n"
  done
fi
check after 3
echo
echo "answers compared under load, before and after the rounds: $checked, wrong: $wrong"
write_report
((checked > 0 && wrong == 0)) || die "$wrong of $checked answers were wrong"
((!growth_too_large)) || die "memory grew by more than $max_growth_percent %"
