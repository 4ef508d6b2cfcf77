#!/usr/bin/env bash
# Fuzzes what reads bytes of others, with Jazzer.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOT'
usage: fuzz.sh [TARGET] [SECONDS]

Feeds a target inputs that cover more and more of it, for 60 s each without SECONDS, all targets without TARGET:

response    a provider's answer in Hessian, to JSON
arguments   JSON to arguments in Hessian of declared types, and back
jsonb       a value in JSONB, to JSON

Begins with the inputs in protocol/src/test/resources/fuzz and keeps new ones in build/fuzz/TARGET. An input that is read wrongly is
left as build/fuzz/TARGET-crash-HASH: put it among the former, where the build reads it again, and mend the fault.
EOT
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
(($# <= 2)) || die "$3 (expected: at most a target and seconds)"
case ${1:-all} in
  all) targets=(response arguments jsonb) ;;
  response | arguments | jsonb) targets=("$1") ;;
  *) die "target $1 (expected: response, arguments, jsonb)" ;;
esac
seconds=${2:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "seconds: $seconds (expected: a whole number above 0)"

need jdk mvn
cd "$root"
mkdir -p build/fuzz
mvn -q -B -Pfuzz -Dspotless.check.skip=true -pl protocol test-compile dependency:build-classpath \
  -Dmdep.outputFile="$root/build/fuzz/classpath" || die "the build of protocol failed"
classpath=$root/protocol/target/classes:$root/protocol/target/test-classes:$(<build/fuzz/classpath)

# Jazzer's hooks only for our own classes: those for Unsafe fail within Netty.
for target in "${targets[@]}"; do
  echo "fuzzing $target for $seconds s"
  mkdir -p "build/fuzz/$target"
  "$java" -Xmx512m -cp "$classpath" com.code_intelligence.jazzer.Jazzer \
    "--target_class=io.dubbomesh.protocol.fuzz.${target^}Fuzz" \
    '--instrumentation_includes=io.dubbomesh.protocol.**' '--custom_hook_includes=io.dubbomesh.protocol.**' \
    --reproducer_path="$root/build/fuzz" \
    -max_total_time="$seconds" -max_len=4096 -timeout=10 -artifact_prefix="$root/build/fuzz/$target-" \
    "build/fuzz/$target" "protocol/src/test/resources/fuzz/$target" ||
    die "$target failed: see build/fuzz/$target-*"
done
