#!/usr/bin/env bash
# Generates the Java client of a service, compiles the program that calls it, and runs it.
# usage: run.sh [URL [shop|conformance]]
source "$(dirname "${BASH_SOURCE[0]}")/../begin.sh"

case $program in
  shop) class=Shop ;;
  *) class=Conformance ;;
esac
mvn -B -q "-Dprogram=$class" "-Ddocument=build/$program.json" "-Durl=$url" -Dorg.slf4j.simpleLogger.defaultLogLevel=error compile exec:java
