#!/usr/bin/env bash
# Shows that the build fails with a library that is older than the oldest allowed version: asks for old versions and looks at what Maven
# says. usage: minimum-versions.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 0)) || die "$1 (expected: no argument)"

# The property, an old version, and what the rule says.
old=(
  "netty.version 4.2.17.Final a Netty with known holes"
  "nimbus.version 9.37.3 a library with a known hole"
  "logback.version 1.5.18 a library with a known hole"
  "zookeeper.version 3.9.3 a library with a known hole"
)

need jdk mvn
cd "$root"
results=build/minimum-versions
rm -rf "$results"
mkdir -p "$results"

validate() {
  mvn -q -B -pl dist -am validate "$@"
}

good=1
if validate >"$results/as-it-is.log" 2>&1; then
  echo "as-it-is passed" >>"$results/part"
else
  echo "as-it-is failed" >>"$results/part"
  good=0
fi
for each in "${old[@]}"; do
  read -r property version message <<<"$each"
  log=$results/$property.log
  end=failed
  # Another failure, such as a version that is not to be had, is none of the rule.
  if validate "-D$property=$version" >"$log" 2>&1; then
    end=passed
  elif ! grep -qF "$message" "$log"; then
    end=otherwise
  fi
  [[ $end == failed ]] || good=0
  echo "$property=$version $end" >>"$results/part"
done
mv "$results/part" "$results/result"
awk '{ print $1 ": the build " ($2 == "otherwise" ? "failed for another reason" : $2) }' "$results/result"
((good)) || die "not as wanted, see $results"
