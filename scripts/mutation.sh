#!/usr/bin/env bash
# Measures how many faults, put into the codecs and the balancers one at a time, the tests of these find. usage: mutation.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 0)) || die "$1 (expected: no argument)"

modules=(loadbalance protocol)

need jdk mvn
cd "$root"
mkdir -p build
for module in "${modules[@]}"; do
  rm -rf "$module/target/mutation"
done
mvn -q -B -Pmutation -Dspotless.check.skip=true -pl "$(IFS=,; echo "${modules[*]}")" -am process-test-classes >build/mutation.log 2>&1 ||
  die "PIT failed, see build/mutation.log"
for module in "${modules[@]}"; do
  # The sixth column is what became of a mutation: a test that never ends has found it too.
  awk -F, -v module="$module" '
    { all++; if ($6 == "KILLED" || $6 == "TIMED_OUT" || $6 == "MEMORY_ERROR") killed++ }
    END { printf "%s: %d of %d mutations killed, %.1f %%\n", module, killed, all, 100 * killed / all }' \
    "$module/target/mutation/mutations.csv"
done
echo "what survived: */target/mutation/index.html"
