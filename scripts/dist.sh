#!/usr/bin/env bash
# The release: dubbo-mesh-VERSION.tar.gz with both agents and what is installed with them, its SBOM and SHA256SUMS. It is built anew from a
# copy of this tree, so that the same tree gives the same bytes. A tree that is not what was committed makes a version ending in -dirty.
# With a JDK 25 on this machine also dubbo-mesh-VERSION-java-JAVA-MACHINE.tar.gz, with the AOT caches that this Java starts the agents from.
# usage: dist.sh [--lock|--built] [DIR], by default build/dist
# --lock: writes dist/dependencies.lock, with the libraries of this build, instead of comparing them with it
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# --built: for tests, with the jars that mvn -Prelease package has left in this tree, instead of building them again
lock=0
built=0
case ${1:-} in
  --lock)
    lock=1
    shift
    ;;
  --built)
    built=1
    shift
    ;;
esac
[[ ${1:-} != -* ]] || die "$1 (expected: --lock, --built, or the directory to write to)"
(($# <= 1)) || die "$2 (expected: one directory at most)"

need jdk mvn git jq
out=${1:-$root/build/dist}
mkdir -p "$out"
out=$(cd "$out" && pwd)
use_work_directory

# value ELEMENT: the content of the first such element of the root pom.xml.
value() {
  sed -n "s|^ *<$1>\(.*\)</$1>\$|\1|p" "$root/pom.xml" | head -n 1
}

version=$(value version)
# Fixed with the version, like the times in the jars.
time=$(value project.build.outputTimestamp)
changes=$(git -C "$root" status --porcelain) || die "git cannot tell what was committed"
commit=$(git -C "$root" rev-parse HEAD)
if [[ -n $changes ]]; then
  version+=-dirty
  commit+=", with changes that were not committed"
  echo "not all is committed: this makes version $version"
fi
name=dubbo-mesh-$version
stage=$work/$name

build_copy() {
  mkdir "$work/tree"
  # Only what git holds: logs, secrets and what tools leave beside it are not for others.
  (cd "$root" && git ls-files -z | while IFS= read -r -d '' file; do
    [[ ! -e $file && ! -L $file ]] || printf '%s\0' "$file"
  done) | tar -C "$root" --null --verbatim-files-from -T - -c | tar -C "$work/tree" -x
  if ((built)); then
    local made
    for made in consumer-agent/target/consumer-agent.jar provider-agent/target/provider-agent.jar meshctl/target/meshctl.jar \
      dist/target/sbom.json; do
      mkdir -p "$work/tree/${made%/*}"
      cp "$root/$made" "$work/tree/$made" || die "$made is missing (expected: that of mvn -Prelease package)"
    done
    return
  fi
  echo "building $name"
  (cd "$work/tree" && mvn -q -B -Prelease -Dmaven.test.skip=true -Dspotless.check.skip=true -pl dist -am package) ||
    die "the build of $name failed"
}

# reference PROGRAM: its settings with their defaults and comments.
reference() {
  local agent=${1%-agent}
  case $1 in
    gateway) reference consumer-agent | as_of_gateway ;;
    *) cat "$work/tree/$1/src/main/resources/io/dubbomesh/$agent/reference.conf" ;;
  esac
}

# A consumer agent's settings as a gateway has them: first what it must or may want to set, links to provider agents last.
as_of_gateway() {
  awk -v registry=registry -v providers='Dubbo providers without a provider agent' -v links='links to provider agents' -v process=process '
    function replace(section, old, new) {
      if (sub(old, new, text[section])) return
      print "reference.conf of the consumer agent: no \"" old "\" in the section \"" section "\", which is other in gateway.conf" >"/dev/stderr"
      exit 1
    }
    /^# --- / { section = $0; gsub(/^# --- | ---$/, "", section); sections[++count] = section }
    { text[section] = text[section] $0 "\n" }
    END {
      replace("", "the consumer agent", "a gateway")
      replace("", "\"type\" = \"consumer\"", "\"type\" = \"gateway\"")
      replace(registry, "\"registry\" = [^\\n]*", "# It must be set.\n\"registry\" = \"\"")
      replace(providers, " without a provider agent", "")
      replace(links, "links to provider agents", "links to endpoints; mesh.* to provider agents, where the registry lists some")
      replace(links, "\\n$", "")
      replace(process, "consumer-agent, or gateway where that is the type", "gateway")
      printf "%s%s%s", text[""], text[registry], text[providers]
      for (i = 1; i <= count; i++)
        if (sections[i] != registry && sections[i] != providers && sections[i] != links) printf "%s", text[sections[i]]
      printf "\n%s", text[links]
    }
  '
}

# conf PROGRAM: its settings, all commented out, as what is set in the file is what differs; but what makes it a gateway is set.
conf() {
  reference "$1" | sed -E -e 's/^"type" = "gateway"$/type = gateway/' -e 's/^"([^"]+)" = /#\1 = /'
}

# man_settings PROGRAM: as a list for a manual page; from the second paragraph on, since the first is about the file.
man_settings() {
  reference "$1" | awk '
    function text(line) { gsub(/\\/, "\\e", line); gsub(/-/, "\\-", line); return line }
    function paragraph() { if (comment != "") print text(comment); comment = "" }
    /^$/ { body = 1; comment = ""; next }
    !body { next }
    /^# --- / { gsub(/^# --- | ---$/, ""); print ".SS " text($0); next }
    /^# / { comment = comment (comment == "" ? "" : "\n") substr($0, 3); next }
    { split($0, setting, /" = /); print ".TP\n.B " text(substr(setting[1], 2)) " \\fR= " text(setting[2]); paragraph() }
  '
}

# man_page PROGRAM AGENT: of the program, which is in the jar of that agent.
man_page() {
  sed -e "s/@VERSION@/$version/" -e "s/@DATE@/${time%T*}/" "$work/tree/dist/src/man/$1.1"
  man_settings "$1"
  sed -e "s#lib/@AGENT@#lib/$2#g" -e "s/@AGENT@/$1/g" "$work/tree/dist/src/man/common.1"
}

third_parties() {
  cat <<EOF
What the jars of this directory hold of others. Where there are two licences, the first is the one under which it is passed on. The texts
of the licences are in licenses/, further notices in META-INF of the jars; the sources are in Maven Central by the same names.

EOF
  jq -r '.components[] | select(.group != "io.dubbomesh")
    | [.group + ":" + .name + ":" + .version, ([.licenses[] | .expression // .license.id] | join(" or "))] | @tsv' "$1" |
    sort -u | awk -F '\t' '{ printf "%-75s %s\n", $1, $2 }'
}

# The libraries in the jars, with the SHA-256 of their files.
libraries() {
  jq -r '.components[] | select(.group != "io.dubbomesh")
    | [(.purl | sub("^pkg:maven/"; "") | sub("\\?.*classifier=(?<c>[^&]+).*"; ":\(.c)") | sub("\\?.*"; "") | sub("/"; ":") | sub("@"; ":")),
       first(.hashes[] | select(.alg == "SHA-256")).content] | join(" ")' "$1" | LC_ALL=C sort -u
}

# What is shipped is what was looked at: other versions, or other bytes of the same, are refused.
check_lock() {
  local locked=$root/dist/dependencies.lock
  if ((lock)); then
    libraries "$1" >"$locked"
    echo "wrote dist/dependencies.lock"
  elif ! libraries "$1" | diff -u "$locked" - >"$work/lock.diff"; then
    cat "$work/lock.diff" >&2
    die "the libraries are not those of dist/dependencies.lock; if that is meant, look at them and run scripts/dist.sh --lock"
  fi
}

check_holes() {
  local artifact fixed id what found
  while IFS=$'\t' read -r artifact fixed id what; do
    [[ $artifact != \#* ]] || continue
    for found in $(libraries "$1" | sed -n "s/^$artifact:\([^: ]*\).*/\1/p"); do
      [[ $(printf '%s\n' "$fixed" "$found" | sort -V | head -n 1) == "$fixed" ]] ||
        die "$artifact $found has the hole $id ($what); expected: $fixed or newer"
    done
  done <"$root/dist/known-holes.tsv"
}

# A file for each licence, as the SBOM has its text.
licences() {
  local id
  mkdir "$stage/licenses"
  jq -r '[.components[].licenses[]?.license.id // empty] | unique[]' "$1" | while read -r id; do
    jq -r --arg id "$id" 'first(.components[].licenses[]?.license | select(.id == $id)).text.content | @base64d' "$1" \
      >"$stage/licenses/$id.txt"
  done
}

assemble() {
  local agent
  mkdir -p "$stage/conf" "$stage/man/man1"
  cp -r "$work/tree/dist/src/bin" "$work/tree/dist/src/lib" "$work/tree/dist/src/systemd" "$stage"
  cp "$work"/tree/{LICENSE,CHANGELOG.md,SECURITY.md} "$stage"
  cp -r "$work/tree/docs" "$work/tree/examples" "$stage"
  mkdir -p "$stage/docker/monitoring"
  cp "$work"/tree/docker/monitoring/{prometheus.yml,alerts.yml,dashboard.json} "$stage/docker/monitoring"
  link_within_release "$stage/docs" "$stage/examples"
  sed "s/@VERSION@/$version/" "$work/tree/dist/src/README.md" >"$stage/README.md"
  echo "$version (commit $commit)" >"$stage/VERSION"
  for agent in consumer-agent provider-agent; do
    cp "$work/tree/$agent/target/$agent.jar" "$stage/lib"
    conf "$agent" >"$stage/conf/$agent.conf"
    man_page "$agent" "$agent" >"$stage/man/man1/$agent.1"
  done
  conf gateway >"$stage/conf/gateway.conf"
  man_page gateway consumer-agent >"$stage/man/man1/gateway.1"
  cp "$work/tree/meshctl/target/meshctl.jar" "$stage/lib"
  sed -e "s/@VERSION@/$version/" -e "s/@DATE@/${time%T*}/" "$work/tree/dist/src/man/meshctl.1" >"$stage/man/man1/meshctl.1"
  mkdir -p "$stage/completions"
  "$stage/bin/meshctl" generate-completion >"$stage/completions/meshctl"
  # Netty's libraries of every machine, which would otherwise be unpacked to /tmp at each start.
  (cd "$work" && "$JAVA_HOME/bin/jar" xf "$stage/lib/consumer-agent.jar" META-INF/native)
  mkdir "$stage/lib/native"
  cp "$work"/META-INF/native/*.so "$stage/lib/native"
  licences "$work/tree/dist/target/sbom.json"
  third_parties "$work/tree/dist/target/sbom.json" >"$stage/THIRD-PARTY.txt"
}

# link_within_release FOLDER...: settings are in conf/, and to what only the source tree has there is no link.
link_within_release() {
  find "$@" -name '*.md' -exec sed -zEi \
    -e 's#\]\(((\.\./)+)(consumer|provider)-agent/[^)]*/reference\.conf\)#](\1conf/\3-agent.conf)#g' \
    -e 's#\]\(((\.\./)+)README\.md\#[^)]*\)#](\1README.md)#g' \
    -e 's#\[([^]]*)\]\((\.\./)+(dist|testing)/[^)]*\)#\1#g' \
    -e 's#\[([^]]*)\]\((\.\./)+CONTRIBUTING\.md[^)]*\)#\1#g' {} +
}

# aot_caches: what a JVM of the very build of this machine's Java 25 starts the agents from, to be unpacked over the release; any other JVM takes
# no notice of it. No two runs make the same bytes, so that it stays outside of the release.
aot_caches() {
  local jdk java_build
  jdk=$(find_jdk_25)
  if [[ -z $jdk ]]; then
    echo "no JDK 25 on this machine: no AOT caches (bin/make-archive makes them where the agents are installed)"
    return
  fi
  java_build=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"$/\1/p' "$jdk/release")
  aot=$name-java-$java_build-$(uname -m).tar.gz
  # The JVM compares the time of the jar with that in the cache.
  find "$stage/lib" -name '*.jar' -exec touch -d "$time" {} +
  JAVA_HOME=$jdk "$stage/bin/make-archive"
  (cd "$work" && tar --format=ustar --mtime="$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -c "$name"/lib/*.aot) |
    gzip -n -9 >"$out/$aot"
}

build_copy
check_lock "$work/tree/dist/target/sbom.json"
check_holes "$work/tree/dist/target/sbom.json"
assemble
tar -C "$work" --sort=name --format=ustar --mtime="$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -c "$name" |
  gzip -n -9 >"$out/$name.tar.gz"
# Without the texts of the licences, which are in the tarball.
jq 'del(.components[].licenses[]?.license?.text)' "$work/tree/dist/target/sbom.json" >"$out/$name.cdx.json"
aot=
# Tests make their own.
((built)) || aot_caches
# shellcheck disable=SC2086 # a name or none
(cd "$out" && sha256sum "$name.tar.gz" "$name.cdx.json" $aot >SHA256SUMS)
cat "$out/SHA256SUMS"
