#!/usr/bin/env bash
# A provider agent in the foreground. usage: provider-agent.sh [-Dkey=value ...], or --help or --version
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
agent provider-agent provider-agent "$@"
