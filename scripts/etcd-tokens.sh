#!/usr/bin/env bash
# Follows a real etcd for five minutes whose tokens expire after five seconds and whose roles change. usage: etcd-tokens.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 0)) || die "$1 (expected: no argument)"

need jdk mvn etcd
cd "$root"
# A round takes as long as a token lives, and a little more.
mvn -q -B -pl registry/core -am verify -Dtest=EtcdTokensTest -Detcd.token.rounds=30 -Dsurefire.failIfNoSpecifiedTests=false
