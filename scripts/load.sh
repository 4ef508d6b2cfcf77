#!/usr/bin/env bash
# Calls a method through the mesh in an open or a closed loop, and checks every answer. See load.sh --help.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need jdk
build testing/benchmark
ulimit -n "$(ulimit -Hn)"
exec "$java" -XX:+UseSerialGC -cp "$(jar_of testing/benchmark)" io.dubbomesh.benchmark.client.Load "$@"
