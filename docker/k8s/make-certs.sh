#!/usr/bin/env bash
# The mesh's certificate authority and a certificate for each kind of agent, as kustomization.yaml expects them. The authority is made once
# and kept, so that running this again renews the certificates alone. usage: make-certs.sh [DIRECTORY], by default certs/ beside this script
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

days=365
authority_days=3650

(($# <= 1)) || die "$2 (expected: one argument at most)"
directory=${1:-$root/docker/k8s/certs}

# make COMMAND...: openssl says what it does on standard error, which is of interest only where it fails.
make() {
  local said
  said=$("$@" 2>&1) || die "$1 $2 failed: $said"
}

new_key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

authority() {
  [[ ! -f ca.key ]] || return 0
  make openssl req -x509 "${new_key[@]}" -keyout ca.key -out ca.crt -days "$authority_days" -subj "/CN=Dubbo Mesh" \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign
}

# certificate NAME USAGE: the name is what the other side's mesh.tls.peer-names has; no service of that name is needed.
certificate() {
  local name=$1 usage=$2
  make openssl req "${new_key[@]}" -keyout "$name.key" -out "$name.csr" -subj "/CN=$name"
  printf '%s\n' basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature "extendedKeyUsage=$usage" \
    "subjectAltName=DNS:$name.dubbo-mesh.svc" >"$name.ext"
  make openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -set_serial "0x$(openssl rand -hex 16)" -days "$days" \
    -extfile "$name.ext" -out "$name.crt"
  rm "$name.csr" "$name.ext"
}

need openssl
umask 077
mkdir -p "$directory"
cd "$directory"
authority
certificate provider-agent serverAuth
certificate consumer-agent clientAuth
echo "certificates for $days days: $directory"
