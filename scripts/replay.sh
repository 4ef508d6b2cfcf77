#!/usr/bin/env bash
# Reads again what fuzzing found (corpora), or gives the same bytes to other parsers of HTTP (parsers), without the other tests.
# usage: replay.sh corpora|parsers
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# module, package below io.dubbomesh, class
corpora=(
  "protocol protocol.fuzz FuzzCorpusTest"
  "transport transport.tls CertificateFuzzTest"
  "dubbo-client client.connection DubboFuzzTest"
  "registry/core registry.dubbo RegistryFuzzTest"
  "consumer-agent consumer.server EverySplitTest"
  "consumer-agent consumer.upstream.call EndpointFuzzTest"
  "provider-agent provider.mesh LinkFuzzTest"
)
parsers=("consumer-agent consumer.http DifferentialTest")

need jdk mvn
case ${1-} in
  corpora) tests=("${corpora[@]}") ;;
  parsers)
    tests=("${parsers[@]}")
    need python3 venv node
    ;;
  *) die "${1-no argument} (expected: corpora or parsers)" ;;
esac
(($# == 1)) || die "$2 (expected: one argument)"

cd "$root"
results=build/replay
mkdir -p "$results"
rm -f "$results/$1" "$results/$1.part"

report() {
  echo "$1/target/surefire-reports/TEST-io.dubbomesh.$2.$3.xml"
}

modules=()
classes=()
for test in "${tests[@]}"; do
  read -r module package class <<<"$test"
  modules+=("$module")
  classes+=("io.dubbomesh.$package.$class")
  rm -f "$(report "$module" "$package" "$class")"
done
status=0
mvn -q -B --fail-at-end -Dspotless.check.skip=true -Dsurefire.failIfNoSpecifiedTests=false -pl "$(IFS=,; echo "${modules[*]}")" -am test \
  -Dtest="$(IFS=,; echo "${classes[*]}")" >"$results/$1.log" 2>&1 || status=$?

for test in "${tests[@]}"; do
  read -r module package class <<<"$test"
  file=$(report "$module" "$package" "$class")
  [[ -f $file ]] || die "$class has not run, see $results/$1.log"
  # <testsuite ... tests="12" errors="0" skipped="0" failures="0">
  sed -n '/<testsuite /,/>/p' "$file" | tr '\n' ' ' | awk -v class="$class" '
    function attribute(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
    { print class, attribute("tests"), attribute("failures") + attribute("errors"), attribute("skipped") }' >>"$results/$1.part"
done
mv "$results/$1.part" "$results/$1"
awk '{ printf "%s: %d tests, %d failed, %d skipped\n", $1, $2, $3, $4 }' "$results/$1"
((status == 0)) || die "not passed, see $results/$1.log"
