#!/bin/bash
# Stands in for the official entry point of the 2018 benchmark: starts the role's service in the background, and the agent in the
# foreground; when the agent ends, so does the container. usage: docker-entrypoint.sh ROLE SALT
set -eu

[[ -x $(command -v start-agent.sh) ]] || {
  echo "[ERROR] start-agent.sh is not an executable on PATH" >&2
  exit 1
}

heap=0
case ${1:-} in
  consumer) service=consumer heap=2G ;;
  provider-small) service=provider heap=1G ;;
  provider-medium) service=provider heap=2G ;;
  provider-large) service=provider heap=3G ;;
  *)
    echo "[ERROR] ${1:-no role} (expected: consumer, provider-small, provider-medium or provider-large)" >&2
    exit 1
    ;;
esac

# The JVM of 2018 (8u172) took no notice of the container: processors were those of the machine, the collector the parallel one.
echo "Starting $1 service..."
nohup java -jar -XX:-UseContainerSupport -XX:+UseParallelGC "-Xms$heap" "-Xmx$heap" -Dlogs.dir=/root/logs -Dhost=0.0.0.0 \
  "/root/dists/mesh-$service.jar" >/dev/null 2>&1 &

exec start-agent.sh "$@"
