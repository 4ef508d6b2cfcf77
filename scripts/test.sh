#!/usr/bin/env bash
# Runs the tests, after installing the tools that are missing, if the user may. usage: test.sh [--all]
#
# Every change is to pass test.sh, which selects of what takes long; a release test.sh --all, which selects nothing. The list: docs/understand/testing.md.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
all=false
chaos_rows=(F1 E2)
excluded=release
for argument; do
  [[ $argument == --all ]] || die "$argument (expected: --all or no argument)"
  all=true
  chaos_rows=()
  excluded=
done

cd "$root"
need jdk mvn etcd wrk curl ip nft ss ps unshare promtool chromium chromedriver openssl python3 venv node npm
if $all; then
  need go
fi

reports() {
  find . -path '*/target/surefire-reports/*' "$@"
}

# Sets tests, failed, skipped from the reports.
count() {
  local line
  line=$(reports -name 'TEST-*.xml' -exec grep -hm1 '<testsuite ' {} + | awk '
    function attribute(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
    { tests += attribute("tests"); failed += attribute("failures") + attribute("errors"); skipped += attribute("skipped") }
    END { print tests + 0, failed + 0, skipped + 0 }')
  read -r tests failed skipped <<<"$line"
}

# The tests that failed, from the reports, with the begin of what they say.
failures() {
  reports -name '*.txt' -exec awk '
    /<<< (FAILURE|ERROR)!$/ && !/^Tests run:/ { left = 7 }
    left-- > 0 && NF' {} +
}

mkdir -p build
log=build/test.log
# What an earlier run left would be counted with this one.
reports -type f -delete

good=1
# These JVMs end too soon for the best code to pay off.
export MAVEN_OPTS="${MAVEN_OPTS--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}"
# Replaces the shell that calls it: a part of a pipe, or a job.
maven() {
  exec mvn -B -T 2 "$@"
}

# A test that fails keeps no other module from being tested; count sees it. All is compiled and checked: with the changes of dependencies looked
# for, every module would be compiled once more, since it is compiled with the jars of the others, and tested with their classes.
run_tests() {
  maven --fail-at-end -Dmaven.test.failure.ignore=true -Dmaven.compiler.useIncrementalCompilation=false -Dspotless.check.skip=true \
    -Denforcer.skip=true "-Dtest.all=$all" "-Dtest.excluded=$excluded" "$@" test
}

trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
# The manifests need nothing of the build.
docker/k8s/check.sh >build/test-manifests.log 2>&1 &
manifests=$!

run_rows() {
  scripts/chaos.sh --quick ${chaos_rows[@]+"${chaos_rows[@]}"}
}

# All is built before a test runs. The tests of the modules wait more than they compute: they run beside those of the whole mesh, whose JVMs map jars
# that are not written any more, and so do the rows of chaos.sh. Modules run at the same time, and so do the classes of those whose classes wait
# (test.forks). The profile makes the SBOM of the release that DistributionTest looks at.
failed_rows=0
maven -Prelease -DskipTests verify 2>&1 | tee "$log" || good=0
if ((good)); then
  run_tests -pl testing/acceptance -am '-Dtest=io/dubbomesh/acceptance/**/*Test' -Dsurefire.failIfNoSpecifiedTests=false >build/test-mesh.log 2>&1 &
  mesh=$!
  # All the rows of a release have bounds that other work could break.
  rows=
  if ! $all; then
    run_rows >build/test-chaos.log 2>&1 &
    rows=$!
  fi
  run_tests -pl '!testing/acceptance' 2>&1 | tee -a "$log" || good=0
  wait "$mesh" || good=0
  tee -a "$log" <build/test-mesh.log
  if $all; then
    run_rows 2>&1 | tee -a "$log" || failed_rows=1
  else
    wait "$rows" || failed_rows=1
    tee -a "$log" <build/test-chaos.log
  fi
fi
count

if leaks=$({ grep -l 'LEAK:' "$log" || true; reports -type f -exec grep -l 'LEAK:' {} + || true; } | sort -u) && [[ -n $leaks ]]; then
  echo "buffers were leaked, see:" "$leaks"
  # Where they were made, and the class whose test was running when Netty noticed, which need not be the one that lost them.
  grep -m5 -B1 'LEAK:' "$log" | cut -c1-2000 || true
  good=0
fi
if ((tests == 0)); then
  echo "no test ran"
  good=0
fi
# A JVM that ended under its tests leaves no report of the rest of them.
if ((failed == 0)) && grep -a '^\[ERROR\]' "$log"; then
  good=0
fi
# What is no module's counts as a test too.
tests=$((tests + 1))
wait "$manifests" || failed=$((failed + 1))
tee -a "$log" <build/test-manifests.log
tests=$((tests + 1))
failed=$((failed + failed_rows))
if ((skipped > 0)); then
  echo "tests were skipped: every test is to run"
  good=0
fi
((failed == 0)) || good=0
failures
echo "$((tests - failed - skipped)) passed, $failed failed, $skipped skipped"
((good))
