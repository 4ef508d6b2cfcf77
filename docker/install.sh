#!/usr/bin/env bash
# The first step of the images' build: lays out what they consist of. Jars that were built outside are taken unless a source is newer.
# usage: install.sh DIR
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=$1

demo=testing/demo/dubbo33/target/demo-dubbo33.jar
jars=(consumer-agent/target/consumer-agent.jar provider-agent/target/provider-agent.jar meshctl/target/meshctl.jar "$demo")

# Maven leaves a jar as it is when nothing in it has changed, so the newest stands for all.
up_to_date() {
  local jar newest=${jars[0]}
  for jar in "${jars[@]}"; do
    [[ -f $jar ]] || return 1
    [[ ! $jar -nt $newest ]] || newest=$jar
  done
  [[ -z $(find . \( -path '*/src/main/*' -o -name pom.xml \) -type f -newer "$newest" -print -quit) ]]
}

if ! up_to_date; then
  echo "building: jars are missing, or older than their sources"
  mvn -q -B -Dmaven.test.skip=true -Dspotless.check.skip=true -pl consumer-agent,provider-agent,meshctl,testing/demo/dubbo33 -am package
fi

mesh=$target/dubbo-mesh
mkdir -p "$mesh/bin" "$mesh/lib/native" "$target/demo/bin" "$target/demo/lib" "$target/demo/api"
install -m 755 dist/src/bin/* "$mesh/bin"
install -m 644 dist/src/lib/* "$mesh/lib"
install -m 644 consumer-agent/target/consumer-agent.jar provider-agent/target/provider-agent.jar meshctl/target/meshctl.jar "$mesh/lib"
install -m 755 docker/demo-provider.sh "$target/demo/bin/demo-provider"
install -m 644 "$demo" "$target/demo/lib/demo-provider.jar"

# Netty's libraries, which would otherwise be unpacked to /tmp at each start: not possible where that is read-only or may not hold programs.
machine=$(uname -m)
unpacked=$(mktemp -d)
(cd "$unpacked" && jar xf "$mesh/lib/consumer-agent.jar" META-INF/native)
install -m 644 "$unpacked"/META-INF/native/*_"${machine/aarch64/aarch_64}".so "$mesh/lib/native"
# The interfaces of the demo's services with their types, as a team would have them in a jar.
(cd "$target/demo/api" && jar xf "$target/demo/lib/demo-provider.jar" io/dubbomesh/demo com/alibaba/dubbo/performance)
