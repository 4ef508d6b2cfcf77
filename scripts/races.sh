#!/usr/bin/env bash
# Looks for races in what the event loops share (jcstress). usage: races.sh [--all]
#
# About two minutes. --all adds the configurations of the JVM that jcstress knows: a quarter of an hour.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

seconds=240
# The JVM as it is, with assertions, on 17 also with the other kind of locks.
options=(-sc false -jvmArgs -ea)
for argument; do
  [[ $argument == --all ]] || die "$argument (expected: --all or no argument)"
  seconds=1800
  options=(-jvmArgsPrepend -ea)
done

need jdk mvn
cd "$root"
results=$root/build/races
rm -rf "$results"
mkdir -p "$results"
mvn -q -B -Dmaven.test.skip=true -Dspotless.check.skip=true -pl testing/races -am package >"$results/build.log" 2>&1 ||
  die "the build of races failed, see build/races/build.log"
# jcstress leaves files where it is started.
cd "$results"
status=0
timeout "$seconds" "$java" -jar "$root/testing/races/target/races.jar" -m quick "${options[@]}" -r report >run.log 2>&1 || status=$?
sed -n '/^RUN RESULTS/,$p' run.log
# The last line of progress: "(Results: 22 planned; 22 passed, 0 failed, 0 soft errs, 0 hard errs)".
progress=$(grep '^(Results: ' run.log | tail -n 1) || true
[[ -n $progress ]] || die "jcstress has measured nothing (status $status), see build/races/run.log"
read -r planned passed failed soft hard < <(tr -cs '0-9\n' ' ' <<<"$progress")
((planned > 0)) || die "jcstress found no tests, see build/races/run.log"
printf 'planned %s\npassed %s\nforbidden %s\nerrors %s\n' "$planned" "$passed" "$failed" "$((soft + hard))" >result
echo "$passed of $planned runs passed, $failed with forbidden outcomes, $((soft + hard)) with errors: build/races/report/index.html"
((status == 0 && passed == planned)) || die "not passed (jcstress ended with status $status)"
