#!/bin/bash
# In place of start-agent.sh: runs the baseline's program of the role (testing/benchmark/baseline). The programs connect before they listen, so this
# waits for their peers. usage: start-agent.sh ROLE SALT
set -eu

# The weights of start-agent.sh, 1, 2 and 4, as one turn.
turn=(provider-large:30000 provider-medium:30000 provider-large:30000 provider-small:30000 provider-large:30000 provider-medium:30000
  provider-large:30000)
# As lb.limit.
limit=180

await() {
  until (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; do
    sleep 1
  done
}

case ${1:-} in
  consumer)
    for size in small medium large; do
      await "provider-$size" 30000
    done
    exec baseline-consumer -l "$limit" 20000 "${turn[@]}"
    ;;
  provider-small | provider-medium | provider-large)
    await 127.0.0.1 20880
    exec baseline-provider 0.0.0.0:30000 20880 fastjson
    ;;
  *)
    echo "start-agent.sh: ${1:-no role} (expected: consumer, provider-small, provider-medium or provider-large)" >&2
    exit 1
    ;;
esac
