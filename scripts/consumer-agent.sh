#!/usr/bin/env bash
# A consumer agent in the foreground. usage: consumer-agent.sh [-Dkey=value ...], or --help or --version
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
agent consumer-agent consumer-agent "$@"
