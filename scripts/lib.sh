# shellcheck shell=bash
# Shared by the scripts: the tools they need, the jars, and a mesh on this machine. Sourced, never run.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
service=com.alibaba.dubbo.performance.demo.provider.IHelloService

# shellcheck source=dist/src/lib/launch.sh
source "$root/dist/src/lib/launch.sh"

# Those of an installed agent, of which find_jdk adds those of its version. JAVA_OPTS follows them and wins.
read -ra agent_flags <<<"$agent_jvm $agent_memory"
# Of a real provider. A benchmark gives it more, so that its collections do not show in the figures.
provider_heap=256m
provider_flags=(-XX:+UseSerialGC)

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# --- tools -------------------------------------------------------------------

# Sets java to a JDK's java of version 17 or newer, and JAVA_HOME for Maven, even if another java comes first in PATH.
find_jdk() {
  local candidate home properties
  for candidate in "${JAVA_HOME:-/nonexistent}/bin/java" "$(command -v java || true)" \
    /usr/lib/jvm/*/bin/java /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java; do
    [[ -x $candidate ]] || continue
    # The file beside java says it at once; java itself takes as long as a command of meshctl, and is asked where it is a script.
    home=$(readlink -f "$candidate") || continue
    home=${home%/bin/java}
    read_java_version "$home/release"
    if [[ -z $java_version ]]; then
      properties=$("$candidate" -XshowSettings:properties -version 2>&1) || continue
      home=$(sed -n 's/^ *java\.home = //p' <<<"$properties")
      read_java_version "$home/release"
      java_version=$(sed -n 's/^ *java\.specification\.version = //p' <<<"$properties")
    fi
    if [[ $java_version =~ ^[0-9]+$ ]] && ((java_version >= 17)) && [[ -x $home/bin/javac ]]; then
      java=$home/bin/java
      read -ra agent_flags <<<"$agent_jvm $(version_flags) $agent_memory"
      export JAVA_HOME=$home
      return 0
    fi
  done
  return 1
}

# Prints the directory of a JDK 25 of this machine, or nothing.
find_jdk_25() {
  local release
  for release in "${JAVA_HOME:-/nonexistent}/release" /usr/lib/jvm/*/release; do
    if grep -qs '^JAVA_VERSION="25' "$release" && [[ -x ${release%/release}/bin/javac ]]; then
      echo "${release%/release}"
      return
    fi
  done
}

# Whether there is a go that fetches the release that a go.mod names.
has_go() {
  local version
  version=$(GOTOOLCHAIN=local go version 2>/dev/null) || return 1
  [[ $version =~ go1\.([0-9]+) ]] && ((BASH_REMATCH[1] >= 21))
}

has() {
  case $1 in
    jdk) find_jdk ;;
    go) has_go ;;
    venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

package_of() {
  case $1 in
    jdk) echo openjdk-17-jdk-headless ;;
    mvn) echo maven ;;
    etcd) echo etcd-server ;;
    venv) echo python3 python3-venv ;;
    cc) echo gcc libc6-dev ;;
    ip | ss) echo iproute2 ;;
    nft) echo nftables ;;
    go) echo golang-go ;;
    node) echo nodejs ;;
    ps) echo procps ;;
    gpg) echo gpg gpg-agent gpgconf ;;
    unshare) echo util-linux ;;
    promtool) echo prometheus ;;
    chromedriver) echo chromium-driver ;;
    testssl) echo testssl.sh ;;
    hexdump) echo bsdextrautils ;;
    docker) echo docker.io docker-compose ;;
    *) echo "$1" ;;
  esac
}

# need TOOL...: installs the missing tools if the user may, or fails; "jdk" is a JDK of version 17 or newer, "go" one of 1.21 or newer,
# "venv" a Python that makes virtual environments.
need() {
  local tool missing=() packages=() as_root=()
  for tool in "$@"; do
    if ! has "$tool"; then
      missing+=("$tool")
      # shellcheck disable=SC2207 # packages have no spaces in their names
      packages+=($(package_of "$tool"))
    fi
  done
  ((${#missing[@]})) || return 0
  command -v apt-get >/dev/null ||
    die "missing: ${missing[*]}. Install them with your system's package manager (jdk: version 17 or newer, go: 1.21 or newer)."
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null || die "missing: ${missing[*]}. Install them: sudo apt-get install ${packages[*]}"
    as_root=(sudo -n)
  fi
  echo "installing ${packages[*]}"
  # ${x[@]+...}: bash before 4.4 takes an empty array for an unset variable.
  { ${as_root[@]+"${as_root[@]}"} apt-get -qq update &&
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null; } ||
    die "apt-get could not install ${packages[*]}"
  for tool in "${missing[@]}"; do
    if [[ $tool == go ]] && ! has go && command -v go >/dev/null; then
      die "$(GOTOOLCHAIN=local go version) (expected: 1.21 or newer). Install one from https://go.dev/dl, first in PATH."
    fi
    has "$tool" || die "$tool is still missing after its package $(package_of "$tool") was installed"
  done
}

# --- jars --------------------------------------------------------------------

jar_of() {
  case $1 in
    dist) echo "$root/dist/target/mesh-agent.jar" ;;
    testing/demo/dubbo*) echo "$root/$1/target/demo-${1##*/}.jar" ;;
    *) echo "$root/$1/target/${1##*/}.jar" ;;
  esac
}

# Whether a jar is missing, or older than a source of any module: only Maven knows which belong to it.
outdated() {
  [[ ! -f $1 || -n $(find "$root"/* \( -name target -o -name build \) -prune -o \
    \( -path '*/src/main/*' -o -name pom.xml \) -type f -newer "$1" -print -quit) ]]
}

# build MODULE...: builds the jars that are missing or outdated, without tests and checks of the format.
build() {
  local module wanted=()
  for module in "$@"; do
    if outdated "$(jar_of "$module")"; then
      wanted+=("$module")
    fi
  done
  ((${#wanted[@]})) || return 0
  need mvn
  echo "building ${wanted[*]}"
  (cd "$root" && mvn -q -B -Dmaven.test.skip=true -Dspotless.check.skip=true -pl "$(IFS=,; echo "${wanted[*]}")" -am package) ||
    die "the build of ${wanted[*]} failed"
  for module in "${wanted[@]}"; do
    [[ -f $(jar_of "$module") ]] || die "the build left no $(jar_of "$module")"
  done
}

archive_of() {
  archive_file "$root/$1/target/$1-$java_version"
}

# The flag with which an agent's JVM starts from its archive.
archive_flag() {
  local file
  file=$(archive_of "$1")
  case $file in
    *.aot) echo "-XX:AOTCache=$file" ;;
    *) echo "-XX:SharedArchiveFile=$file" ;;
  esac
}

# archive: makes the archives of both agents if one is missing or older than its jar.
archive() {
  local module wanted=()
  for module in consumer-agent provider-agent; do
    [[ $(archive_of "$module") -nt $(jar_of "$module") ]] || wanted+=("$module")
  done
  ((${#wanted[@]})) || return 0
  echo "making the archives that the agents start from"
  make_archives "$(jar_of consumer-agent)" "$(archive_of consumer-agent)" \
    "$(jar_of provider-agent)" "$(archive_of provider-agent)" ||
    echo "the agents start without archives, only later" >&2
}

# agent PROGRAM MODULE [-Dkey=value ...]: replaces the script by that program of the module. With --help or --version, tells about it instead.
agent() {
  local program=$1 module=$2
  shift 2
  local asked conf
  asked=$(asked_for "$@")
  conf=$(echo "$root/$module"/src/main/resources/io/dubbomesh/*/reference.conf)
  if [[ $asked == help ]]; then
    print_help "$program" "${0##*/}" "$conf"
    return
  fi
  if [[ $asked == version ]]; then
    need jdk
    build "$module" >&2
    print_version "$(jar_of "$module")" "$program"
    return
  fi
  check_arguments "$conf" "$@"
  need jdk
  build consumer-agent provider-agent
  archive
  launch "$(jar_of "$module")" "$root/$module/target/$module-$java_version" "$@"
}

# --- processes ---------------------------------------------------------------

names=()
pids=()

# start NAME COMMAND...: in the background, its output in $work/NAME.log. In a process group of its own: Ctrl-C reaches the script alone, which
# ends them in their order. etcd would end first otherwise, and agents would wait for it.
start() {
  local name=$1
  shift
  set -m
  "$@" >"$work/$name.log" 2>&1 </dev/null &
  set +m
  names+=("$name")
  pids+=("$!")
}

# The last started end first, callers before callees; those of one kind (NAME-SIZE) together.
stop_all() {
  local i kind last='' group=()
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    kind=${names[i]%-*}
    if [[ $kind != "$last" ]]; then
      wait_for ${group[@]+"${group[@]}"}
      group=()
      last=$kind
    fi
    if kill -TERM "${pids[i]}" 2>/dev/null; then
      group+=("${pids[i]}")
    fi
  done
  wait_for ${group[@]+"${group[@]}"}
  names=()
  pids=()
}

wait_for() {
  local pid
  for pid; do
    # A signal ends the wait, not the process.
    while kill -0 "$pid" 2>/dev/null; do
      wait "$pid" 2>/dev/null || true
    done
  done
}

kill_all() {
  ((${#pids[@]} == 0)) || kill -KILL "${pids[@]}" 2>/dev/null || true
}

# use_work_directory: makes $work. At its end the script ends all that it started and removes $work, unless keep_logs=1.
use_work_directory() {
  keep_logs=${keep_logs:-0}
  work=$(mktemp -d "${TMPDIR:-/tmp}/dubbo-mesh.XXXXXX")
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

clean_up() {
  # A second Ctrl-C must not leave half of the processes behind: it ends them at once.
  trap kill_all HUP INT TERM
  local i job ending=''
  for ((i = ${#names[@]} - 1; i >= 0; i--)); do
    ending+=", ${names[i]}"
  done
  [[ -z $ending ]] || echo "ending ${ending#, } (Ctrl-C again kills them)" >&2
  # First the callers from outside, so that the agents have nothing to wait for.
  for job in $(jobs -pr); do
    [[ " ${pids[*]-} " == *" $job "* ]] || kill -TERM "$job" 2>/dev/null || true
  done
  stop_all
  if ((keep_logs)); then
    echo "logs: $work"
  else
    rm -rf "$work"
  fi
}

fail_with_log() {
  local name=$1
  shift
  echo "--- the end of $name's log" >&2
  tail -n 30 "$work/$name.log" >&2
  echo "---" >&2
  die "$name $*"
}

pid_of() {
  local i
  for ((i = 0; i < ${#names[@]}; i++)); do
    if [[ ${names[i]} == "$1" ]]; then
      echo "${pids[i]}"
      return
    fi
  done
}

# await NAME SECONDS COMMAND...: until the command succeeds; fails when the process ends or the time is over.
await() {
  local name=$1 seconds=$2 pid end
  shift 2
  pid=$(pid_of "$name")
  end=$((SECONDS + seconds))
  until "$@" >/dev/null 2>&1; do
    kill -0 "$pid" 2>/dev/null || fail_with_log "$name" "ended during its start"
    ((SECONDS < end)) || fail_with_log "$name" "was not ready after $seconds s"
    sleep 0.1
  done
}

require_alive() {
  local i
  for ((i = 0; i < ${#pids[@]}; i++)); do
    kill -0 "${pids[i]}" 2>/dev/null || fail_with_log "${names[i]}" "has ended unexpectedly"
  done
}

get() {
  curl -fsS --max-time 2 -o /dev/null "$1"
}

# --- containers --------------------------------------------------------------

require_engine() {
  need docker
  docker info >/dev/null 2>&1 || die "no Docker engine answers (expected: one that this user may use; start dockerd)"
}

# docker-compose 1.29, which Debian has, or the plugin.
compose() {
  if command -v docker-compose >/dev/null; then
    docker-compose "$@"
  else
    docker compose "$@"
  fi
}

# --- a mesh ------------------------------------------------------------------

sizes=(small medium large)
# Not etcd's own 2379: there the system's etcd may run, which is no place for a demo's keys.
etcd_port=12379
etcd_peer_port=12380

dubbo_port() {
  echo $((20880 + $1))
}

agent_port() {
  echo $((30000 + 10 * $1))
}

# require_ports [PORT PURPOSE]...: all are free, or nothing is started.
require_ports() {
  local taken=0
  while (($#)); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
      echo "${0##*/}: port $1, wanted for $2, is in use" >&2
      taken=1
    fi
    shift 2
  done
  ((!taken)) || exit 1
}

start_registry() {
  if command -v etcd >/dev/null; then
    registry=etcd://127.0.0.1:$etcd_port
    start etcd etcd --data-dir "$work/etcd" --log-level warn \
      --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port" \
      --listen-peer-urls "http://127.0.0.1:$etcd_peer_port" \
      --initial-advertise-peer-urls "http://127.0.0.1:$etcd_peer_port" \
      --initial-cluster "default=http://127.0.0.1:$etcd_peer_port"
    await etcd 30 get "http://127.0.0.1:$etcd_port/health"
  else
    mkdir "$work/registry"
    registry=file:$work/registry
  fi
}

# calls_of SIZE: how many calls its provider has executed.
calls_of() {
  if [[ -f $work/calls-$1 ]]; then wc -l <"$work/calls-$1" | tr -d ' '; else echo 0; fi
}

# Further settings of the provider agents.
provider_agent_options=()

# start_mesh WEIGHT...: a registry, for each weight a provider of 50 ms a call and its agent, and a consumer agent; returns when all are
# ready.
start_mesh() {
  local weights=("$@") ports=() i size
  ((${#weights[@]} <= ${#sizes[@]})) || die "${#weights[@]} weights (expected: at most ${#sizes[@]})"
  for ((i = 0; i < ${#weights[@]}; i++)); do
    size=${sizes[i]}
    ports+=("$(dubbo_port "$i")" "provider $size" "$(agent_port "$i")" "provider agent $size"
      "$(($(agent_port "$i") + 1))" "provider agent $size's admin server")
  done
  ports+=(20000 "the consumer agent" 20001 "the consumer agent's admin server")
  if command -v etcd >/dev/null; then
    ports+=("$etcd_port" "etcd" "$etcd_peer_port" "etcd's peers")
  fi
  require_ports "${ports[@]}"

  archive
  start_registry
  for ((i = 0; i < ${#weights[@]}; i++)); do
    start_provider "${sizes[i]}" "$(dubbo_port "$i")"
  done
  for ((i = 0; i < ${#weights[@]}; i++)); do
    await "provider-${sizes[i]}" 60 grep -q listening "$work/provider-${sizes[i]}.log"
  done
  for ((i = 0; i < ${#weights[@]}; i++)); do
    # shellcheck disable=SC2086 # JAVA_OPTS is a list of words
    start "provider-agent-${sizes[i]}" "$java" "${agent_flags[@]}" \
      "$(archive_flag provider-agent)" ${JAVA_OPTS:-} \
      "-Dregistry=$registry" -Dserver.host=127.0.0.1 "-Dserver.port=$(agent_port "$i")" \
      "-Dadmin.port=$(($(agent_port "$i") + 1))" -Dadvertise.host=127.0.0.1 "-Dlb.weight=${weights[i]}" \
      "-Ddubbo.protocol.port=$(dubbo_port "$i")" "-Ddubbo.services=$service" \
      ${provider_agent_options[@]+"${provider_agent_options[@]}"} -jar "$(jar_of provider-agent)"
  done
  # shellcheck disable=SC2086 # JAVA_OPTS is a list of words
  start consumer-agent "$java" "${agent_flags[@]}" "$(archive_flag consumer-agent)" ${JAVA_OPTS:-} \
    "-Dregistry=$registry" -Dserver.port=20000 \
    -Dadmin.port=20001 -jar "$(jar_of consumer-agent)"
  for ((i = 0; i < ${#weights[@]}; i++)); do
    await "provider-agent-${sizes[i]}" 30 get "http://127.0.0.1:$(($(agent_port "$i") + 1))/readyz"
  done
  await consumer-agent 30 get http://127.0.0.1:20001/readyz
}

start_provider() {
  local size=$1 port=$2
  # At its end Dubbo waits a third of shutdown.wait, which is 10 s, for calls that may still come. The agents have ended before.
  start "provider-$size" "$java" "${provider_flags[@]}" "-Xms$provider_heap" "-Xmx$provider_heap" \
    "-Dname=$size" "-Dport=$port" -Ddelay.ms=50 -Ddubbo.service.shutdown.wait=300 \
    ${count_calls:+"-Dcalls.file=$work/calls-$size"} -jar "$(jar_of testing/demo/dubbo33)"
}
