#!/bin/sh
# Becomes the agent of a role of the 2018 benchmark. usage: start-agent.sh ROLE SALT
#   AGENT_JAVA_HOME  of Java 17 or newer (JAVA_HOME, or the java in PATH): the services may run on another
#   AGENT_OPTS       further options, which win
#   ETCD_URL         http://etcd:2379
set -eu

dists=/root/dists
# shellcheck source=dist/src/lib/launch.sh
. "$dists/launch.sh"

case ${1:-} in
  consumer) type=consumer ;;
  provider-small) type=provider weight=1 ;;
  provider-medium) type=provider weight=2 ;;
  provider-large) type=provider weight=4 ;;
  *)
    echo "start-agent.sh: ${1:-no role} (expected: consumer, provider-small, provider-medium or provider-large)" >&2
    exit 1
    ;;
esac

if [ $type = consumer ]; then
  # wrk waits for an answer however late it is, and a late one counts.
  set -- -Dserver.port=20000 -Drequest.timeout=30s
else
  # In the benchmark's network there are only the agents.
  set -- -Dserver.port=30000 -Dmesh.open=true -Ddubbo.protocol.port=20880 -Ddubbo.serialization=fastjson \
    -Ddubbo.services=com.alibaba.dubbo.performance.demo.provider.IHelloService "-Dlb.weight=$weight"
fi

export JAVA_HOME="${AGENT_JAVA_HOME:-${JAVA_HOME:-}}"
# The JVM rounds a share of a processor up, so a second event loop would have nothing that the first one has not.
# shellcheck disable=SC2086 # AGENT_OPTS is a list of words
launch "$dists/mesh-agent.jar" "$dists/mesh-agent-$type" "-Dtype=$type" "-Detcd.url=${ETCD_URL:-http://etcd:2379}" \
  -Dlogs.dir=/root/logs -Dio.threads=1 "$@" ${AGENT_OPTS:-}
