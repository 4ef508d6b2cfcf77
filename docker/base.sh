#!/usr/bin/env bash
# Base images for a machine that can pull none: Debian 12 by debootstrap, and on top of it what each of ours stands on. Leaves their names
# in docker/.env, which docker-compose and the scripts read; without that file the official images are taken. usage: base.sh [--again]
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

debian=dubbomesh/base-debian:12

again=0
case ${1:-} in
  --again) again=1 ;;
  '') ;;
  *) die "$1 (expected: nothing or --again)" ;;
esac
(($# <= 1)) || die "$2 (expected: one argument at most)"

exists() {
  ((!again)) && docker image inspect "$1" >/dev/null 2>&1
}

# failed STEP: its log's end.
failed() {
  tail -n 20 "$work/$1.log" >&2
  die "the step $1 failed"
}

# The system's own mirror.
mirror() {
  sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null | grep -vm1 security || true
}

debian() {
  local tree mirror
  exists "$debian" && return
  ((EUID == 0)) || die "debootstrap must be run by root"
  need debootstrap
  mirror=$(mirror)
  tree=$work/debian
  echo "making $debian"
  debootstrap --variant=minbase bookworm "$tree" ${mirror:+"$mirror"} >"$work/debootstrap.log" 2>&1 ||
    failed debootstrap
  printf 'path-exclude=/usr/share/%s/*\n' doc info locale >"$tree/etc/dpkg/dpkg.cfg.d/slim"
  if [[ -n $mirror ]]; then
    echo "deb ${mirror%/debian}/debian-security bookworm-security main" >"$tree/etc/apt/sources.list.d/security.list"
  fi
  { chroot "$tree" apt-get -qq update && chroot "$tree" apt-get -qq upgrade -y && chroot "$tree" apt-get clean; } \
    >"$work/upgrade.log" 2>&1 || failed upgrade
  rm -rf "$tree"/var/lib/apt/lists/* "$tree"/usr/share/{doc,info,locale}/*
  tar -C "$tree" --numeric-owner -c . | docker import -c 'CMD ["bash"]' - "$debian" >/dev/null
}

# base_java NAME PACKAGE...: dubbomesh/base-NAME, Debian with these packages and the JDK.
base_java() {
  local name=dubbomesh/base-$1:12
  shift
  exists "$name" && return
  echo "making $name"
  docker build -t "$name" -f - "$jdk" >"$work/build.log" 2>&1 <<END || failed build
FROM $debian
RUN apt-get -qq update && \\
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $* >/dev/null && \\
    apt-get clean && rm -rf /var/lib/apt/lists/*
COPY . /opt/java/openjdk
ENV JAVA_HOME=/opt/java/openjdk
ENV PATH=/opt/java/openjdk/bin:\$PATH
END
}

# base NAME PACKAGE...: dubbomesh/base-NAME, Debian with these packages.
base() {
  local name=dubbomesh/base-$1:12
  shift
  exists "$name" && return
  echo "making $name"
  docker build -t "$name" - >"$work/build.log" 2>&1 <<END || failed build
FROM $debian
RUN apt-get -qq update && \\
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $* >/dev/null && \\
    apt-get clean && rm -rf /var/lib/apt/lists/*
END
}

need docker
docker info >/dev/null 2>&1 || die "no Docker engine answers (expected: one that this user may use; start dockerd)"
use_work_directory
debian
# Debian 12 has no JDK 25.
jdk=$(find_jdk_25)
if [[ -n $jdk ]]; then
  # Maven's package brings Debian's Java along, which JAVA_HOME and PATH precede.
  base_java jre ca-certificates
  base_java jdk maven gcc libc6-dev make
else
  echo "no JDK 25 on this machine: the images have Debian's 17"
  base jre openjdk-17-jre-headless
  base jdk openjdk-17-jdk-headless maven gcc libc6-dev make
fi
base wrk wrk
base etcd etcd-server etcd-client
base prometheus prometheus
cat >"$root/docker/.env" <<'END'
BUILD_BASE=dubbomesh/base-jdk:12
JRE_BASE=dubbomesh/base-jre:12
WRK_BASE=dubbomesh/base-wrk:12
ETCD_IMAGE=dubbomesh/base-etcd:12
PROMETHEUS_IMAGE=dubbomesh/base-prometheus:12
END
docker image ls --filter reference='dubbomesh/base-*' --format '{{.Repository}}:{{.Tag}}  {{.Size}}'
