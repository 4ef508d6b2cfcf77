#!/bin/sh
# Keeps the classes of either agent as the JVM maps them into memory: with a share of a processor they are the greater part of its start.
set -eu

dists=/root/dists
# shellcheck source=dist/src/lib/launch.sh
. "$dists/launch.sh"
java=${AGENT_JAVA_HOME:+$AGENT_JAVA_HOME/bin/}java
for type in consumer provider; do
  make_archive "$dists/mesh-agent.jar" "$dists/mesh-agent-$type.jsa" "-Dtype=$type"
done
