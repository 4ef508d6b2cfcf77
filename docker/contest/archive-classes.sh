#!/bin/sh
# Makes what the JVMs of both agents start from: with a share of a processor it saves the greater part of their start.
set -eu

dists=/root/dists
# shellcheck source=dist/src/lib/launch.sh
. "$dists/launch.sh"
JAVA_HOME=${AGENT_JAVA_HOME:-${JAVA_HOME:-}}
find_java
make_archives "$dists/mesh-agent.jar" "$(archive_file "$dists/mesh-agent-consumer")" -Dtype=consumer \
  "$dists/mesh-agent.jar" "$(archive_file "$dists/mesh-agent-provider")" -Dtype=provider
