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
triple      a provider's answer by Triple: header fields, message, trailers
mesh        parts of what a peer sends on a link: HELLO, headers, requests, names of methods
link        what a consumer agent sends on a link, with and without the token that is demanded, whole and in pieces
endpoint    what a provider agent sends on a link with calls, whole and in pieces
dubbo       what a provider sends on a connection: frames, whole and in pieces
http2       what a provider sends on an HTTP/2 connection: frames, header fields, whole and in pieces
certificate names in the certificate of a peer, beside those of mesh.tls.peer-names
registry    what stands in a registry: keys, values, URLs, instances, metadata, rules
http        requests through the handler of a connection: head, chunks, forms and calls in JSON, whole and in pieces
mcp         requests to the server of the Model Context Protocol: messages of JSON-RPC, header fields, calls of tools, whole and in pieces

Starts from the inputs in src/test/resources/fuzz/TARGET.txt of its module, and keeps new ones in build/fuzz/TARGET. The last quarter of the time is
for inputs of up to 64 KiB. An input that is read wrongly is left as build/fuzz/TARGET-crash-HASH and appended to the file, so that every build reads
it again: fix the fault and commit both. Ends with the CPU time that each target has used.
EOT
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
(($# <= 2)) || die "$3 (expected: at most a target and seconds)"
case ${1:-all} in
  all) targets=(response fastjson arguments jsonb mesh triple link endpoint dubbo http2 certificate registry http mcp) ;;
  response | fastjson | arguments | jsonb | mesh | triple | link | endpoint | dubbo | http2 | certificate | registry | http | mcp) targets=("$1") ;;
  *) die "target $1 (expected: response, fastjson, arguments, jsonb, mesh, triple, link, endpoint, dubbo, http2, certificate, registry, http, mcp)" ;;
esac
seconds=${2:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "seconds: $seconds (expected: a whole number above 0)"

need jdk mvn
cd "$root"
mkdir -p build/fuzz
# shellcheck disable=SC2016 # Maven replaces the directory of the module
mvn -q -B -Pfuzz -Dspotless.check.skip=true -pl protocol,transport,dubbo-client,registry/core,consumer-agent,provider-agent -am test-compile dependency:build-classpath \
  -Dmdep.outputFile='${project.build.directory}/fuzz.classpath' || die "the build of the targets failed"

# use_module_of TARGET: sets the module with its corpus, the package of its class, and the class path.
use_module_of() {
  case $1 in
    http) module=consumer-agent package=io.dubbomesh.consumer.server ;;
    mcp) module=consumer-agent package=io.dubbomesh.consumer.mcp ;;
    endpoint) module=consumer-agent package=io.dubbomesh.consumer.upstream.call ;;
    link) module=provider-agent package=io.dubbomesh.provider.mesh ;;
    dubbo) module=dubbo-client package=io.dubbomesh.client.connection ;;
    http2) module=transport package=io.dubbomesh.transport.http2 ;;
    certificate) module=transport package=io.dubbomesh.transport.tls ;;
    registry) module=registry/core package=io.dubbomesh.registry.dubbo ;;
    *) module=protocol package=io.dubbomesh.protocol.fuzz ;;
  esac
  corpus=$module/src/test/resources/fuzz/$1.txt
  classpath=$root/$module/target/classes:$root/$module/target/test-classes:$(<"$module/target/fuzz.classpath")
}

# failed TARGET: adds what was found to the corpus.
failed() {
  local found=()
  for input in "build/fuzz/$1"-{crash,timeout,oom}-*; do
    [[ -f $input ]] && found+=("$input")
  done
  if ((${#found[@]} > 0)); then
    "$java" -cp "$classpath" io.dubbomesh.testsupport.random.FuzzCorpus append "$corpus" "${found[@]}"
  fi
  report
  die "$1 failed: see build/fuzz/$1-* and the end of $corpus"
}

declare -A used=()

# report: prints the CPU time of each target, that of the JVM's own threads included.
report() {
  local target
  for target in "${targets[@]}"; do
    [[ -z ${used[$target]:-} ]] || printf '%-11s %s s of CPU time\n' "$target" "${used[$target]}"
  done
}

# Jazzer's hooks only for our own classes: those for Unsafe fail within Netty.
printf -v hooked ':io.dubbomesh.%s.**' protocol transport client registry consumer provider
hooked=${hooked#:}

# fuzz TARGET SECONDS FLAG... DIRECTORY...: the first directory gets the new inputs. The targets measure the CPU time of each input; -timeout, by the
# clock, which runs on while other programs have the processor, is only for one that never ends.
fuzz() {
  local target=$1 seconds=$2 times good=1
  shift 2
  exec 3>&1 4>&2
  times=$(
    LC_ALL=C TIMEFORMAT='%U %S'
    { time "$java" -Xmx512m -cp "$classpath" com.code_intelligence.jazzer.Jazzer \
      "--target_class=$package.${target^}Fuzz" "--instrumentation_includes=$hooked" "--custom_hook_includes=$hooked" \
      --reproducer_path="$root/build/fuzz" -artifact_prefix="$root/build/fuzz/$target-" \
      -max_total_time="$seconds" -timeout=60 -report_slow_units=60 "$@" >&3 2>&4; } 2>&1
  ) || good=0
  used[$target]=$(LC_ALL=C awk '{ printf "%.1f", $1 + $2 + $3 }' <<<"${used[$target]:-0} $times")
  ((good)) || failed "$target"
}

for target in "${targets[@]}"; do
  echo "fuzzing $target for $seconds s"
  use_module_of "$target"
  rm -rf "build/fuzz/$target-corpus" "build/fuzz/$target-long-corpus"
  mkdir -p "build/fuzz/$target" "build/fuzz/$target-long"
  "$java" -cp "$classpath" io.dubbomesh.testsupport.random.FuzzCorpus unpack "$corpus" "build/fuzz/$target-corpus"
  # Most code is reached by short inputs, of which a second has up to a hundred times as many.
  long=$((seconds / 4))
  fuzz "$target" $((seconds - long)) -max_len=4096 "build/fuzz/$target" "build/fuzz/$target-corpus"
  # What takes too long or too much for its size shows with long ones. They hardly arise from short ones, since they reach nothing new: so they start
  # from inputs that are long, and a shorter one does not replace them.
  if ((long > 0)); then
    "$java" -cp "$classpath" io.dubbomesh.testsupport.random.FuzzCorpus lengthen "$corpus" "build/fuzz/$target-long-corpus"
    fuzz "$target" "$long" -max_len=65536 -reduce_inputs=0 "build/fuzz/$target-long" "build/fuzz/$target-long-corpus"
  fi
done
report
