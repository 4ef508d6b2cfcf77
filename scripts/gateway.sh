#!/usr/bin/env bash
# A gateway in the foreground, which calls Dubbo providers. usage: gateway.sh -Dregistry=REGISTRY [-Dkey=value ...], or --help or --version
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
agent gateway consumer-agent -Dtype=gateway "$@"
