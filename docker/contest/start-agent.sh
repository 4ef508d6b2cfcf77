#!/bin/bash
# Becomes the agent of a role of the 2018 benchmark. usage: start-agent.sh ROLE SALT
# AGENT_JAVA is a java of version 17 or newer; the services may run on another. AGENT_OPTS is put behind the flags below and wins.
set -eu

ETCD_URL=${ETCD_URL:-http://etcd:2379}
AGENT_JAVA=${AGENT_JAVA:-java}
dists=/root/dists

# A container has a share of a processor, which what is no event loop takes from it: one collector thread, few compilers. The agents
# allocate next to nothing per call, so a small heap is enough.
flags=(-XX:+UseSerialGC -XX:CICompilerCount=2 -Xms64M -Xmx64M -Xmn16M -XX:+ExitOnOutOfMemoryError -Xlog:disable -Xlog:all=error:stderr)

provider() {
  type=provider
  settings=(-Dserver.port=30000 -Ddubbo.protocol.port=20880 -Ddubbo.serialization=fastjson
    -Ddubbo.services=com.alibaba.dubbo.performance.demo.provider.IHelloService "-Dlb.weight=$1")
}

case ${1:-} in
  consumer)
    type=consumer
    settings=(-Dserver.port=20000)
    ;;
  provider-small) provider 1 ;;
  provider-medium) provider 2 ;;
  provider-large) provider 3 ;;
  *)
    echo "start-agent.sh: ${1:-no role} (expected: consumer, provider-small, provider-medium or provider-large)" >&2
    exit 1
    ;;
esac

# shellcheck disable=SC2086 # AGENT_OPTS is a list of words
exec "$AGENT_JAVA" "${flags[@]}" "-XX:SharedArchiveFile=$dists/mesh-agent-$type.jsa" "-Dtype=$type" "-Detcd.url=$ETCD_URL" \
  -Dio.threads=1 -Drequest.timeout=30s -Dlogs.dir=/root/logs "${settings[@]}" ${AGENT_OPTS:-} -jar "$dists/mesh-agent.jar"
