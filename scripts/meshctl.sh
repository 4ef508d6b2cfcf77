#!/usr/bin/env bash
# The command-line tool for operators, out of the tree. usage: meshctl.sh [--help]
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need jdk
modules=(meshctl consumer-agent provider-agent)
build "${modules[@]}" >&2
jars=()
for module in "${modules[@]}"; do
  jars+=("$(jar_of "$module")")
done
classes=$(IFS=:; echo "${jars[*]}")
flags=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off -Xmx64m)

# Loading classes is a third of the CPU time of a command. The first one makes an archive of them, by a question to a port where no agent is.
archive=$root/meshctl/target/meshctl-$java_version.jsa
for jar in "${jars[@]}"; do
  if [[ ! $archive -nt $jar ]]; then
    "$java" "${flags[@]}" "-XX:ArchiveClassesAtExit=$archive.$$" -cp "$classes" io.dubbomesh.meshctl.Meshctl doctor --admin=127.0.0.1:1 \
      >/dev/null 2>&1 || true
    mv -f "$archive.$$" "$archive" 2>/dev/null || true
    break
  fi
done
exec "$java" "${flags[@]}" "-XX:SharedArchiveFile=$archive" -cp "$classes" io.dubbomesh.meshctl.Meshctl "$@"
