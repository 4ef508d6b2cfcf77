#!/usr/bin/env bash
# The demo's Dubbo provider in a container. usage: demo-provider [-Dkey=value ...] | demo-provider --archive
set -euo pipefail

lib=/opt/demo/lib
# Dubbo keeps files in the user's home, which a user without a name does not have.
flags=(-XX:+UseSerialGC -XX:SharedArchiveFile="$lib/demo.jsa" -Duser.home=/tmp)

if [[ ${1:-} != --archive ]]; then
  # shellcheck disable=SC2086 # a list of words each
  exec java "${flags[@]}" ${JVM_MEMORY:-} ${JAVA_OPTS:-} "$@" -jar "$lib/demo-provider.jar"
fi

# With its classes mapped into memory it starts in half the time: made by a start that ends when it listens.
flags=("${flags[@]/SharedArchiveFile/ArchiveClassesAtExit}")
java "${flags[@]}" -Xlog:cds=error -Xlog:cds+dynamic=error -jar "$lib/demo-provider.jar" >/tmp/archive.log 2>&1 &
pid=$!
until grep -q listening /tmp/archive.log; do
  kill -0 "$pid" || { cat /tmp/archive.log >&2; exit 1; }
  sleep 0.1
done
kill "$pid"
wait "$pid" || true
rm -rf /tmp/*
[[ -f $lib/demo.jsa ]]
