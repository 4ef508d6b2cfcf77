#!/usr/bin/env bash
# Whether what this container runs is there, with nothing but bash: an agent by /readyz of its admin server, anything else by a connection.
# usage: healthcheck PORT | healthcheck tcp PORT
set -euo pipefail

if [[ $1 == tcp ]]; then
  exec 3<>"/dev/tcp/127.0.0.1/$2"
  exit 0
fi
exec 3<>"/dev/tcp/127.0.0.1/$1"
printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r status <&3
# What it says is kept with the container's state, for docker inspect.
echo "${status%$'\r'}"
[[ $status == 'HTTP/1.1 200'* ]]
