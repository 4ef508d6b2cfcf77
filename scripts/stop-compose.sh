#!/usr/bin/env bash
# Stops the composition under load, its parts in every order, and shows that every accepted request was answered.
source "$(dirname "${BASH_SOURCE[0]}")/composition.sh"

usage() {
  cat <<'END'
usage: stop-compose.sh [ORDER ...]

An order is four letters: c the consumer agent, a the provider agents, p the providers, e etcd. Without one, all 24.
In each, clients in the composition's network call with 32 connections until no port is open, and count requests and answers.
The exit status is 0 only if every request had an answer and every value was right.
END
}

letters() {
  local left=$1 done=${2:-} i
  [[ -n $left ]] || { echo "$done"; return; }
  for ((i = 0; i < ${#left}; i++)); do
    letters "${left:0:i}${left:i+1}" "$done${left:i:1}"
  done
}

orders=()
for order; do
  case $order in
    -h | --help)
      usage
      exit 0
      ;;
    *)
      [[ " $(letters cape | tr '\n' ' ')" == *" $order "* ]] || die "$order (expected: an order of the letters c, a, p, e)"
      orders+=("$order")
      ;;
  esac
done
((${#orders[@]})) || mapfile -t orders < <(letters cape)

# Under load before the first part is stopped, and between a part and the next.
load_seconds=4
pause_seconds=1

end() {
  docker rm -f "$project-ledger" >/dev/null 2>&1 || true
  take_down
}

services_of() {
  case $1 in
    c) echo consumer-agent ;;
    a) echo provider-agent-small provider-agent-medium provider-agent-large ;;
    p) echo provider-small provider-medium provider-large ;;
    e) echo etcd ;;
  esac
}

# Starts the clients and returns when their first calls are answered.
start_ledger() {
  docker run -d --name "$project-ledger" --network "${project}_mesh" -v "$(jar_of testing/benchmark):/benchmark.jar:ro" --entrypoint java \
    "dubbomesh/demo-provider:${TAG:-0.4.0}" -XX:+UseSerialGC -cp /benchmark.jar io.dubbomesh.benchmark.client.Load \
    --target consumer-agent:20000 --connections 32 --seconds 120 --give-up 3 --slice 120 >/dev/null
  sleep "$load_seconds"
}

try_order() {
  local order=$1 i status
  start_composition
  start_ledger
  for ((i = 0; i < ${#order}; i++)); do
    # shellcheck disable=SC2046 # one word for each service
    docker stop -t 10 $(mesh_compose ps -q $(services_of "${order:i:1}")) >/dev/null
    sleep "$pause_seconds"
  done
  status=$(docker wait "$project-ledger")
  printf '%s  %s\n' "$order" "$(docker logs "$project-ledger" 2>&1 | sed -n '/^LEDGER/,$p')"
  docker rm "$project-ledger" >/dev/null
  [[ $status == 0 ]]
}

need jdk mvn
build testing/benchmark
use_composition dubbomesh-stop docker-compose.yml
trap end EXIT
good=1
for order in "${orders[@]}"; do
  try_order "$order" || good=0
done
((good)) || die "requests were lost"
