#!/usr/bin/env bash
# Fuzzes the decoders of foreign bytes, with Jazzer.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOT'
usage: fuzz.sh [TARGET] [SECONDS]

Feeds a target inputs that cover more and more of it, for 60 s each without SECONDS, all targets without TARGET:

response    a provider's answer in Hessian, to JSON
arguments   JSON to arguments in Hessian of declared types, and back
jsonb       a value in JSONB, to JSON

Starts from the inputs in protocol/src/test/resources/fuzz/TARGET.txt and keeps new ones in build/fuzz/TARGET. An input that is read
wrongly is left as build/fuzz/TARGET-crash-HASH and appended to the file, so that every build reads it again: fix the fault and commit both.
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
mvn -q -B -Pfuzz -Dspotless.check.skip=true -pl protocol -am test-compile dependency:build-classpath \
  -Dmdep.outputFile="$root/build/fuzz/classpath" || die "the build of protocol failed"
classpath=$root/protocol/target/classes:$root/protocol/target/test-classes:$(<build/fuzz/classpath)

# failed TARGET: adds what was found to the corpus.
failed() {
  local found=()
  for input in "build/fuzz/$1"-{crash,timeout,oom}-*; do
    [[ -f $input ]] && found+=("$input")
  done
  if ((${#found[@]} > 0)); then
    "$java" -cp "$classpath" io.dubbomesh.testsupport.FuzzCorpus append "$corpus" "${found[@]}"
  fi
  die "$1 failed: see build/fuzz/$1-* and the end of $corpus"
}

# Jazzer's hooks only for our own classes: those for Unsafe fail within Netty.
for target in "${targets[@]}"; do
  echo "fuzzing $target for $seconds s"
  mkdir -p "build/fuzz/$target"
  corpus=protocol/src/test/resources/fuzz/$target.txt
  rm -rf "build/fuzz/$target-corpus"
  "$java" -cp "$classpath" io.dubbomesh.testsupport.FuzzCorpus unpack "$corpus" "build/fuzz/$target-corpus"
  "$java" -Xmx512m -cp "$classpath" com.code_intelligence.jazzer.Jazzer \
    "--target_class=io.dubbomesh.protocol.fuzz.${target^}Fuzz" \
    '--instrumentation_includes=io.dubbomesh.protocol.**' '--custom_hook_includes=io.dubbomesh.protocol.**' \
    --reproducer_path="$root/build/fuzz" \
    -max_total_time="$seconds" -max_len=4096 -timeout=10 -artifact_prefix="$root/build/fuzz/$target-" \
    "build/fuzz/$target" "build/fuzz/$target-corpus" || failed "$target"
done
