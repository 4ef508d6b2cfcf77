#!/usr/bin/env bash
# Builds a collector of OpenTelemetry from its Go modules and has it receive the trace of a call through a whole mesh; test.sh runs the same test with
# a receiver in the test's own process. usage: collector.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 0)) || die "$1 (expected: no argument)"

need jdk mvn go
cd "$root"
mkdir -p build
(cd acceptance/src/test/collector && go build -o "$root/build/collector" .) || die "the collector cannot be built"
mvn -q -B -Dspotless.check.skip=true -pl acceptance -am verify -Dcollector="$root/build/collector" \
  -Dtest=io.dubbomesh.acceptance.TracesTest -Dsurefire.failIfNoSpecifiedTests=false >build/collector.log 2>&1 ||
  die "the test failed, see build/collector.log"
echo "what it received: acceptance/target/logs/TracesTest/collector.log"
