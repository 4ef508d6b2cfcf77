#!/usr/bin/env bash
# Fuzzes the decoders of foreign bytes, with Jazzer.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<'EOT'
usage: fuzz.sh [TARGET] [SECONDS]

Feeds a target inputs that cover more and more of it, for 60 s each without SECONDS, all targets without TARGET:

response    a provider's answer in Hessian, to JSON
fastjson    the same in the JSON of fastjson 1
arguments   JSON to arguments in Hessian of declared types, and back
jsonb       a value in JSONB, to JSON
mesh        what a peer sends on a link: HELLO, headers, requests, names of methods
dubbo       what a provider sends on a connection: frames, whole and in pieces
certificate names in the certificate of a peer, beside those of mesh.tls.peer-names
registry    what stands in a registry: keys, values, URLs, instances, metadata, rules
http        requests through the handler of a connection: head, chunks, forms and calls in JSON, whole and in pieces

Starts from the inputs in src/test/resources/fuzz/TARGET.txt of its module, and keeps new ones in build/fuzz/TARGET. An input that is read
wrongly is left as build/fuzz/TARGET-crash-HASH and appended to the file, so that every build reads it again: fix the fault and commit both.
EOT
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
(($# <= 2)) || die "$3 (expected: at most a target and seconds)"
case ${1:-all} in
  all) targets=(response fastjson arguments jsonb mesh dubbo certificate registry http) ;;
  response | fastjson | arguments | jsonb | mesh | dubbo | certificate | registry | http) targets=("$1") ;;
  *) die "target $1 (expected: response, fastjson, arguments, jsonb, mesh, dubbo, certificate, registry, http)" ;;
esac
seconds=${2:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "seconds: $seconds (expected: a whole number above 0)"

need jdk mvn
cd "$root"
mkdir -p build/fuzz
# shellcheck disable=SC2016 # Maven replaces the name of the module
mvn -q -B -Pfuzz -Dspotless.check.skip=true -pl protocol,transport,dubbo-client,registry,consumer-agent -am test-compile dependency:build-classpath \
  -Dmdep.outputFile="$root/build/fuzz/"'${project.artifactId}.classpath' || die "the build of the targets failed"

# use_module_of TARGET: sets the module with its corpus, the package of its class, and the class path.
use_module_of() {
  case $1 in
    http) module=consumer-agent package=io.dubbomesh.consumer.server ;;
    dubbo) module=dubbo-client package=io.dubbomesh.client.connection ;;
    certificate) module=transport package=io.dubbomesh.transport.tls ;;
    registry) module=registry package=io.dubbomesh.registry.dubbo ;;
    *) module=protocol package=io.dubbomesh.protocol.fuzz ;;
  esac
  corpus=$module/src/test/resources/fuzz/$1.txt
  classpath=$root/$module/target/classes:$root/$module/target/test-classes:$(<"build/fuzz/$module.classpath")
}

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
  use_module_of "$target"
  rm -rf "build/fuzz/$target-corpus"
  "$java" -cp "$classpath" io.dubbomesh.testsupport.FuzzCorpus unpack "$corpus" "build/fuzz/$target-corpus"
  "$java" -Xmx512m -cp "$classpath" com.code_intelligence.jazzer.Jazzer \
    "--target_class=$package.${target^}Fuzz" \
    '--instrumentation_includes=io.dubbomesh.protocol.**:io.dubbomesh.transport.**:io.dubbomesh.client.**:io.dubbomesh.registry.**:io.dubbomesh.consumer.**' \
    '--custom_hook_includes=io.dubbomesh.protocol.**:io.dubbomesh.transport.**:io.dubbomesh.client.**:io.dubbomesh.registry.**:io.dubbomesh.consumer.**' \
    --reproducer_path="$root/build/fuzz" \
    -max_total_time="$seconds" -max_len=4096 -timeout=10 -artifact_prefix="$root/build/fuzz/$target-" \
    "build/fuzz/$target" "build/fuzz/$target-corpus" || failed "$target"
done
