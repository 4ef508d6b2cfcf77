#!/usr/bin/env bash
# Signs the checksums of a release, and so all of it: writes SHA256SUMS.asc.
# usage: sign-release.sh KEY [DIR]: a key of GnuPG, by its id or address; by default build/dist
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# >= 1 && $# <= 2)) || die "usage: sign-release.sh KEY [DIR]"

need gpg
cd "${2:-$root/build/dist}"
[[ -f SHA256SUMS ]] || die "no SHA256SUMS in $PWD: run scripts/dist.sh first"
! grep -q -e '-dirty' SHA256SUMS || die "this release has changes that were not committed (-dirty): commit them and run scripts/dist.sh again"
sha256sum --quiet -c SHA256SUMS || die "the files are not those that SHA256SUMS was made of"
gpg --batch --yes --local-user "$1" --armor --output SHA256SUMS.asc --detach-sign SHA256SUMS
gpg --batch --verify SHA256SUMS.asc SHA256SUMS
