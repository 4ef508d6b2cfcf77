#!/usr/bin/env bash
# Certificates for tests: an authority (ca.crt, ca.key) and, for each name, a certificate that it has signed (NAME.crt, NAME.key), for a server or a
# client of this DNS name or IP address. An authority that is there is used again; other files that are there are never replaced.
# usage: certificates.sh DIRECTORY NAME...        for example: certificates.sh certs localhost app.example
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

days=365
curve=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

(($# >= 2)) || die "usage: certificates.sh DIRECTORY NAME..."
directory=$1
shift

# make COMMAND...: openssl says what it does on standard error, which is of interest only where it fails.
make() {
  local said
  said=$("$@" 2>&1) || die "$1 $2 failed: $said"
}

authority() {
  if [[ -e ca.key && -e ca.crt ]]; then
    return
  fi
  [[ ! -e ca.key && ! -e ca.crt ]] || die "$directory has one of ca.key and ca.crt (expected: both or none)"
  make openssl req -x509 "${curve[@]}" -keyout ca.key -out ca.crt -days "$days" -subj "/CN=Authority of tests" \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign
}

# alternatives NAME: as subject alternative names
alternatives() {
  case $1 in
    localhost) echo "DNS:localhost,IP:127.0.0.1,IP:::1" ;;
    *:*) echo "IP:$1" ;;
    *[!0-9.]*) echo "DNS:$1" ;;
    *) echo "IP:$1" ;;
  esac
}

certificate() {
  local name=$1
  local request="$name.csr" extensions="$name.ext"
  make openssl req "${curve[@]}" -keyout "$name.key" -out "$request" -subj "/CN=$name"
  printf '%s\n' basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature extendedKeyUsage=serverAuth,clientAuth \
    "subjectAltName=$(alternatives "$name")" >"$extensions"
  make openssl x509 -req -in "$request" -CA ca.crt -CAkey ca.key -set_serial "0x$(openssl rand -hex 16)" -days "$days" \
    -extfile "$extensions" -out "$name.crt"
  rm "$request" "$extensions"
}

need openssl
# For the keys; certificates are for all users.
umask 077
mkdir -p "$directory"
cd "$directory"
for name in "$@"; do
  [[ $name =~ ^[0-9A-Za-z][0-9A-Za-z.:-]*$ && $name != ca && ${#name} -le 64 ]] \
    || die "$name (expected: a DNS name or an IP address, of at most 64 characters)"
  [[ ! -e $name.key && ! -e $name.crt ]] || die "$directory has $name.key or $name.crt already (expected: neither)"
done
authority
for name in "$@"; do
  certificate "$name"
done
chmod 644 -- *.crt
echo "certificates for $days days: $directory"
