#!/usr/bin/env bash
# Builds a collector of OpenTelemetry from its Go modules and has it receive the trace of a call through a whole mesh; test.sh runs the same test with
# a receiver in the test's own process. usage: collector.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 0)) || die "$1 (expected: no argument)"

need jdk mvn go
cd "$root"
mkdir -p build
(cd testing/acceptance/src/test/collector && go build -o "$root/build/collector" .) || die "the collector cannot be built"
mvn -q -B -Dspotless.check.skip=true -pl testing/acceptance -am verify -Dcollector="$root/build/collector" \
  -Dtest=io.dubbomesh.acceptance.operation.TracesTest -Dsurefire.failIfNoSpecifiedTests=false >build/collector.log 2>&1 ||
  die "the test failed, see build/collector.log"
received=testing/acceptance/target/logs/TracesTest/collector.log
echo "received by $(sed -nE 's/.*service@(v[0-9.]+).*/the collector \1/p' "$received" | head -n 1), in the order of their start (all of it: $received):"
printf '%-32s  %-16s  %-16s  %-6s  %s\n' trace parent span kind name
awk '/^ *Trace ID  / { trace = $NF }
  /^ *Parent ID  / { parent = $NF == ":" ? "-" : $NF }
  /^ *ID  / { span = $NF }
  /^ *Name  / { name = substr($0, index($0, ": ") + 2) }
  /^ *Kind  / { kind = $NF }
  /^ *Start time  / { printf "%sT%s  %-32s  %-16s  %-16s  %-6s  %s\n", $4, $5, trace, parent, span, kind, name }' "$received" |
  sort | sed 's/^[^ ]*  //'
