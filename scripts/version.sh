#!/usr/bin/env bash
# Sets the version of the poms, and of images in compositions, manifests and scripts; dates what is built. usage: version.sh VERSION
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ $# == 1 && $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+(-SNAPSHOT)?$ ]] || die "${*:-nothing} (expected: a version such as 0.3.0 or 0.3.0-SNAPSHOT)"

cd "$root"
need git
old=$(sed -n 's|^ *<version>\(.*\)</version>$|\1|p' pom.xml | head -n 1)
# Only the first version of a pom is ours: its own in the root, its parent's in a module.
git ls-files 'pom.xml' '*/pom.xml' | while read -r pom; do
  sed -i "0,/<version>${old//./\\.}<\/version>/s//<version>$1<\/version>/" "$pom"
done
sed -i "s|\(<project.build.outputTimestamp>\)[^<]*|\1$(date -u +%F)T00:00:00Z|" pom.xml
# Images have the version of the release that is next.
git ls-files docker scripts | while read -r file; do
  sed -i -e "s|\${TAG:-[0-9.]*}|\${TAG:-${1%-SNAPSHOT}}|" -e "/name: dubbomesh\//{n;s|newTag: .*|newTag: ${1%-SNAPSHOT}|}" "$file"
done
sed -i "s|\(dubbomesh/provider-agent:\)[0-9.]*|\1${1%-SNAPSHOT}|" docs/operate/containers.md
echo "$old -> $1"
