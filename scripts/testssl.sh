#!/usr/bin/env bash
# Has testssl.sh look at the HTTPS of a consumer agent that this starts. usage: testssl.sh
# The exit status is 0 only if testssl finds nothing that would cost an A of SSL Labs, but for what a certificate of tests cannot have, and, from its
# version 3.2 on, gives that letter itself.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
(($# == 0)) || die "$1 (expected: no argument)"

https_port=20443
# The authority of tests publishes no revocations and owns no domain.
of_certificate='cert_revocation|DNS_CAArecord'
# The agent is called by programs: what web sites tell browsers would make of an A an A+.
of_web_site='HSTS|security_headers'
# Of testssl itself: whether its OpenSSL knows the ciphers of GOST.
of_testssl='engine_problem'
# Of every JDK up to 26: its TLS has no hybrid key exchange against quantum computers (JEP 527 brings it with 27).
of_jdk='FS_KEMs'

need jdk openssl testssl python3 hexdump
build consumer-agent provider-agent
archive
require_ports "$https_port" "the consumer agent" 20441 "its admin port"
use_work_directory
"$root/scripts/certificates.sh" "$work/certs" localhost >/dev/null
start consumer-agent "$root/scripts/consumer-agent.sh" -Dserver.port=$https_port -Dadmin.port=20441 -Dregistry=static:127.0.0.1:1*1 \
  -Dhttp.tls.cert="$work/certs/localhost.crt" -Dhttp.tls.key="$work/certs/localhost.key"
await consumer-agent 60 curl -s --max-time 2 --cacert "$work/certs/ca.crt" -o /dev/null "https://localhost:$https_port/"

mkdir -p "$root/build"
report=$root/build/testssl.json
rm -f "$report"
timeout 500 testssl --quiet --color 0 --warnings batch --ip 127.0.0.1 --openssl-timeout 10 --add-ca "$work/certs/ca.crt" --jsonfile "$report" \
  "https://localhost:$https_port/" >"$root/build/testssl.log" 2>&1 || true
[[ -s $report ]] || die "testssl left no report, see build/testssl.log"

# "testssl.sh version 3.2.1 from ..."; until 3.0 without "version".
version=$(testssl --version </dev/null 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g' |
  sed -nE 's/.*testssl(\.sh)? +(version +)?([0-9]+\.[0-9]+).*/\3/p' | head -n 1)
[[ -n $version ]] || die "testssl does not tell its version"
python3 - "$report" "$of_certificate|$of_web_site|$of_testssl|$of_jdk" "$version" <<'EOT'
import json, re, sys

findings = json.load(open(sys.argv[1]))
known = re.compile(sys.argv[2])
value = {each["id"]: each["finding"] for each in findings}
worse = [each for each in findings
         if each["severity"] not in ("OK", "INFO", "DEBUG") and not known.match(each["id"])]
for each in worse:
    print("%-8s %s: %s" % (each["severity"], each["id"], each["finding"]))
for name in ("SSLv2", "SSLv3", "TLS1", "TLS1_1", "TLS1_2", "TLS1_3", "ALPN", "cert_trust", "cert_chain_of_trust", "PFS", "FS", "secure_client_renego", "overall_grade"):
    if name in value:
        print("%-24s %s" % (name, value[name]))
# Where testssl could not look at all of it, it gives no letter; before 3.2 it never did.
rates = tuple(map(int, sys.argv[3].split("."))) >= (3, 2)
if rates and "overall_grade" not in value:
    sys.exit("no overall_grade from testssl %s (expected: one from version 3.2 on; see build/testssl.log)" % sys.argv[3])
if worse or not str(value.get("TLS1_3", "")).startswith("offered") or not str(value.get("overall_grade", "A")).startswith("A"):
    sys.exit("not an A")
print("A: nothing worse than OK in %d findings, but for those of a certificate of tests" % len(findings))
EOT
