#!/usr/bin/env bash
# Starts the composition with its Prometheus, and shows that it scrapes all agents, counts what was called, and has the alerts; takes all down
# again. usage: monitor-compose.sh [--keep]
source "$(dirname "${BASH_SOURCE[0]}")/composition.sh"

calls=120
prometheus=http://127.0.0.1:9090

keep=0
case ${1:-} in
  --keep) keep=1 ;;
  '') ;;
  *) die "$1 (expected: nothing or --keep)" ;;
esac

# query PROMQL: the value of the only series.
query() {
  curl -fsS --max-time 5 -G "$prometheus/api/v1/query" --data-urlencode "query=$1" |
    sed -nE 's/.*"value":\[[^,]*,"([^"]*)"\].*/\1/p'
}

# await_value EXPECTED WHAT PROMQL: some scrapes may be needed.
await_value() {
  local value='' end=$((SECONDS + 60))
  until value=$(query "$3" 2>/dev/null) && [[ $value == "$1" ]]; do
    ((SECONDS < end)) || die "$2: ${value:-nothing} (expected: $1)"
    sleep 1
  done
  printf '%-62s %4d\n' "$2" "$value"
}

call() {
  local i
  for ((i = 0; i < calls; i++)); do
    curl -fsS --max-time 10 -o /dev/null http://127.0.0.1:20000/ -d "interface=$service" -d method=hash \
      --data-urlencode 'parameterTypesString=Ljava/lang/String;' -d parameter=hello || die "call $((i + 1)) failed"
  done
}

need jdk mvn curl
use_composition dubbomesh-monitor docker-compose.yml monitoring/compose.yml
[[ -n $(container prometheus 2>/dev/null) ]] || require_ports 9090 Prometheus
echo "starting"
start_composition
await_value "${#composed_agents[@]}" "agents that Prometheus scrapes" 'count(up == 1)'
before=$(query 'sum(dubbomesh_consumer_requests_total{method="hash"})')
call
await_value $((${before:-0} + calls)) "calls that the consumer agent counts" 'sum(dubbomesh_consumer_requests_total{method="hash"})'
await_value $((${before:-0} + calls)) "calls that the three provider agents count" \
  'sum(dubbomesh_provider_requests_total{method="hash"})'
rules=$(curl -fsS --max-time 5 "$prometheus/api/v1/rules" | grep -o '"type":"alerting"' | wc -l)
expected=$(grep -c -- '- alert:' "$root/docker/monitoring/alerts.yml")
((rules == expected)) || die "alerts: $rules (expected: $expected)"
printf '%-62s %4d\n' "alerts that Prometheus has" "$rules"
