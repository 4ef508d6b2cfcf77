#!/usr/bin/env bash
# A consumer agent in the foreground that calls Dubbo providers without provider agents. usage: gateway.sh -Dregistry=REGISTRY [-Dkey=value ...], or
# --help or --version
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
case $(asked_for "$@") in
  help) print_help gateway gateway.sh "$root/consumer-agent/src/main/resources/io/dubbomesh/consumer/reference.conf" ;;
  version) agent consumer-agent --version ;;
  *) agent consumer-agent -Dtype=gateway "$@" ;;
esac
