#!/usr/bin/env bash
# The command-line tool for operators, out of the tree. usage: meshctl.sh [--help]
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need jdk
build meshctl consumer-agent provider-agent >&2
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xshare:auto -Xmx64m \
  -cp "$(jar_of meshctl):$(jar_of consumer-agent):$(jar_of provider-agent)" io.dubbomesh.meshctl.Meshctl "$@"
