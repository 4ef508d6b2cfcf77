#!/usr/bin/env bash
# A whole mesh on this machine: three Dubbo providers weighted 1, 2, 3, their agents, a registry and a consumer agent.
# Makes 600 calls and checks every answer and the spread. usage: demo.sh [--once]
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

calls=600
clients=10
weights=(1 2 3)
url=http://127.0.0.1:20000
count_calls=1

once=0
case ${1:-} in
  --once) once=1 ;;
  '') ;;
  *) die "$1 (expected: nothing or --once)" ;;
esac

# java_hash TEXT: sets hash to what Java's String.hashCode() gives, for ASCII.
java_hash() {
  local text=$1 code i
  hash=0
  for ((i = 0; i < ${#text}; i++)); do
    printf -v code %d "'${text:i:1}"
    hash=$(((hash * 31 + code) & 0xffffffff))
  done
  if ((hash >= 0x80000000)); then
    hash=$((hash - 0x100000000))
  fi
}

# parameter NUMBER: sets text to the parameter of that call: all lengths from 0 on, and characters that a form must escape.
parameter() {
  local number=$1
  text="call $number: a&b=c+d%41/\"\\?~"
  while ((${#text} < number)); do
    text+=$text
  done
  text=${text:0:number % 100}
}

# Leaves for each client its requests as curl's configuration, and the answers expected of it.
prepare() {
  local number client text hash
  for ((number = 0; number < calls; number++)); do
    client=$((number % clients))
    parameter "$number"
    java_hash "$text"
    echo "$hash 200" >>"$work/expected-$client"
    text=${text//\\/\\\\}
    if ((number >= clients)); then
      echo next >>"$work/requests-$client"
    fi
    cat >>"$work/requests-$client" <<EOF
url = "$url/"
data-urlencode = "interface=$service"
data-urlencode = "method=hash"
data-urlencode = "parameterTypesString=Ljava/lang/String;"
data-urlencode = "parameter=${text//\"/\\\"}"
write-out = " %{http_code}\n"
max-time = 10
silent
EOF
  done
}

send() {
  local client clients_pids=()
  for ((client = 0; client < clients; client++)); do
    curl --config "$work/requests-$client" >"$work/answers-$client" &
    clients_pids+=("$!")
  done
  for client in "${clients_pids[@]}"; do
    # The output of a failed transfer is not a right answer and is reported as wrong.
    wait "$client" || true
  done
}

check_answers() {
  local client right=0
  for ((client = 0; client < clients; client++)); do
    right=$((right + $(paste -d '\n' "$work/expected-$client" "$work/answers-$client" |
      awk 'NR % 2 { expected = $0; next } $0 == expected { right++ } END { print right + 0 }')))
  done
  echo "$right of $calls answers are right"
  ((right == calls)) || {
    diff "$work/expected-0" "$work/answers-0" | head -n 10 >&2 || true
    return 1
  }
}

check_spread() {
  local i total_weight=0 total=0 executed expected good=1
  for i in "${weights[@]}"; do
    total_weight=$((total_weight + i))
  done
  for ((i = 0; i < ${#weights[@]}; i++)); do
    executed=$(calls_of "${sizes[i]}")
    expected=$((calls * weights[i] / total_weight))
    total=$((total + executed))
    printf 'provider %-6s weight %d: executed %4d calls, wanted %4d within 5 %%\n' \
      "${sizes[i]}" "${weights[i]}" "$executed" "$expected"
    if ((100 * (executed - expected) > 5 * expected || 100 * (expected - executed) > 5 * expected)); then
      good=0
    fi
  done
  ((total == calls)) || {
    echo "$total calls were executed (expected: $calls)" >&2
    return 1
  }
  ((good)) || {
    echo "the spread is not that of the weights" >&2
    return 1
  }
}

show_answer() {
  echo "hash(\"hello\") = $(curl -sS --max-time 10 "$url/" -d "interface=$service" -d method=hash \
    --data-urlencode 'parameterTypesString=Ljava/lang/String;' -d parameter=hello)"
}

show_urls() {
  cat <<EOF

the mesh, live   http://127.0.0.1:20001/   (its providers' agents: http://127.0.0.1:30001/, 30011, 30021)
consumer agent   $url   (http://127.0.0.1:20001/readyz)
provider agents  127.0.0.1:30000, 30010, 30020   (http://127.0.0.1:30001/readyz, 30011, 30021)
providers        127.0.0.1:20880, 20881, 20882
registry         $registry

curl $url/ -d interface=$service -d method=hash \\
  --data-urlencode 'parameterTypesString=Ljava/lang/String;' -d parameter=hello
curl $url/$shop/buy -H 'Content-Type: application/json' \\
  -d '{"item":"tea","quantity":2,"price":3.50,"delivery":"POST","day":"2026-12-30"}'
curl $url/$shop

Ctrl-C ends it all.
EOF
}

need jdk curl
build testing/demo/dubbo33 provider-agent consumer-agent
use_work_directory
shop=io.dubbomesh.demo.shop.Shop
# A Dubbo 3 provider does not publish its methods' types; its class files have them.
provider_agent_options=("-Ddubbo.services=$service,$shop,$shop:2.0.0:blue" "-Ddubbo.api.jars=testing/demo/api/target/classes")
# The optimising compiler would take the processors from the start, and does not pay for so few calls.
provider_flags+=(-XX:TieredStopAtLevel=1)
echo "starting"
start_mesh "${weights[@]}"
prepare
send
check_answers
check_spread
show_answer
if ((!once)); then
  show_urls
  while true; do
    require_alive
    # In the background, since a signal ends a wait at once.
    sleep 1 &
    wait "$!"
  done
fi
