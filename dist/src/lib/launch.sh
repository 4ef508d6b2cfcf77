# shellcheck shell=sh
# How an agent's JVM is started: read by the programs in bin/, and by the scripts of the source tree. POSIX sh, never run itself.

# A collector thread or a compiler more than needed is taken from the event loops; the serial collector has little to do where
# nothing is allocated per call. Counters for jps and jstat would wake the JVM twenty times a second; jcmd and JFR need none.
# The optimising compiler takes memory for all that it inlines into a method, up to 28 MB for one of ours, and only once: it
# needs half of that with these bounds, at the same speed.
# One request of a hundred that is traced or logged is enough for it to inline all that is done for that one into what is done
# for each, which then takes longer.
agent_jvm='-XX:+UseSerialGC -XX:-UsePerfData -XX:+ExitOnOutOfMemoryError -XX:MaxInlineLevel=12 -XX:FreqInlineSize=150'
agent_jvm="$agent_jvm -XX:CompileCommand=quiet -XX:CompileCommand=dontinline,io.dubbomesh.consumer.record.*::*"
agent_jvm="$agent_jvm -XX:CompileCommand=dontinline,io.dubbomesh.consumer.trace.*::*"
agent_jvm="$agent_jvm -XX:CompileCommand=dontinline,io.dubbomesh.consumer.accesslog.LoopLog::*"
agent_jvm="$agent_jvm -XX:CompileCommand=dontinline,io.dubbomesh.client.trace.*::*"
# Archived classes stay where they were archived, so that what nothing changes in them is shared with the page cache.
agent_jvm="$agent_jvm -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0"
# Netty's pool grows by 2 MiB instead of 4, which the JVM fills with zeros, and its events for JFR stay unloaded.
agent_jvm="$agent_jvm -Dio.netty.allocator.maxOrder=8 -Dio.netty.jfr.enabled=false"
# Only the used part of the heap is resident. The first 48 MB have room for 16,384 clients, so that their coming needs no full
# collection. A small young generation is enough; with one of 4 MB the
# refusals of an overload were promoted, and waited for full collections.
agent_memory='-Xms48m -Xmx64m -Xmn12m -XX:MaxDirectMemorySize=144m'
home=${home:-}

# refuse MESSAGE: ends as the agents do if a setting is wrong, which a restart does not correct.
refuse() {
  echo "${0##*/}: $*" >&2
  exit 2
}

# Sets java, and java_version to 17, 25 ... and java_update to the third number of 17.0.15, or both, where that is not known, to nothing. They are read from the file beside java: to ask java itself
# would take as long as to start an agent.
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || refuse "JAVA_HOME: $JAVA_HOME (expected: a directory with bin/java)"
  else
    java=$(command -v java) || refuse "no java in PATH and no JAVA_HOME (expected: Java 17 or newer)"
  fi
  real_java=$(readlink -f "$java")
  read_java_version "${real_java%/bin/java}/release"
  [ "${java_version:-17}" -ge 17 ] || refuse "$java: Java $java_release (expected: 17 or newer)"
}

# read_java_version FILE: sets java_version and java_update as find_java does, and java_release to all of the version, by the file beside a java.
read_java_version() {
  java_version=
  java_update=
  [ -r "$1" ] || return 0
  while IFS='=' read -r java_key java_release; do
    [ "$java_key" = JAVA_VERSION ] || continue
    java_release=${java_release#\"}
    java_release=${java_release%\"}
    java_version=${java_release%%[!0-9]*}
    case $java_release in
      *.*.[0-9]*)
        java_update=${java_release#*.*.}
        java_update=${java_update%%[!0-9]*} ;;
    esac
    return 0
  done <"$1"
}

# print_help AGENT PROGRAM CONF: what PROGRAM does, which starts AGENT; CONF lists all its settings.
print_help() {
  case $1 in
    consumer-agent) print_consumer_options "$2" ;;
    gateway) print_gateway_options "$2" ;;
    *) print_provider_options "$2" ;;
  esac
  cat <<EOF

Each can also be set in FILE, or in the environment as DUBBOMESH_ and the key in capitals with _ for . and -. Every setting
with its default: $3

The environment also has
  JAVA_HOME     of Java 17 or newer (the java in PATH)
  JVM_MEMORY    the JVM's options about memory ($agent_memory)
  JAVA_OPTS     further options of the JVM

Exit code: 0 ended by SIGTERM or SIGINT, 1 could not start, or not end within the grace, 2 a wrong setting,
3 out of memory.
EOF
}

print_consumer_options() {
  cat <<EOF
usage: $1 [-Dkey=value ...]

Takes HTTP from the programs beside it and calls Dubbo services through their provider agents.

  -Dconfig.file=FILE     where further settings stand
  -Dregistry=REGISTRY    etcd://host:2379[,host:2379], etcd+dubbo://host:2379[/root], zookeeper://host:2181[,host:2181][/root],
                         nacos://host:8848[,host:8848], dns://name:port/interface,..., file:/dir or static:host:port*weight,...;
                         several by comma (etcd://127.0.0.1:2379). Behind etcd, zookeeper and nacos: ?username-file=FILE, with the
                         name and the password in two lines; behind etcd also ca=FILE&cert=FILE&key=FILE, for TLS
  -Dserver.port=PORT     takes HTTP (20000)
  -Dserver.host=HOST     at this address (127.0.0.1)
  -Drequest.timeout=TIME the deadline of a call that names none (5 s)
  -Dzone=ZONE            where it is: calls stay there while there is room
  -Dadmin.port=PORT      /healthz and /readyz (20001)
  -Dlogs.dir=DIR         where log files go (standard output)
EOF
}

print_gateway_options() {
  cat <<EOF
usage: $1 -Dregistry=REGISTRY [-Dkey=value ...]

Takes HTTP and calls Dubbo providers, which need no agent and no change.

  -Dconfig.file=FILE     where further settings stand
  -Dregistry=REGISTRY    where the providers are registered: zookeeper://host:2181[,host:2181][/root], nacos://host:8848[,host:8848],
                         etcd+dubbo://host:2379[/root], dns://name:port/interface,... or static:dubbo://host:port*weight,...; several by
                         comma; must be set. Behind zookeeper, nacos and etcd+dubbo: ?username-file=FILE, with the name and the
                         password in two lines; behind etcd+dubbo also ca=FILE&cert=FILE&key=FILE, for TLS
  -Ddubbo.api.jars=JARS  the services' interfaces and their classes
  -Dlb.limit=CALLS       at each provider at once, or auto: it learns that (180)
  -Dserver.port=PORT     takes HTTP (20000)
  -Dserver.host=HOST     at this address (127.0.0.1)
  -Drequest.timeout=TIME the deadline of a call that names none (5 s)
  -Dzone=ZONE            where it is: calls stay there while there is room
  -Dadmin.port=PORT      /healthz and /readyz (20001)
  -Dlogs.dir=DIR         where log files go (standard output)
EOF
}

print_provider_options() {
  cat <<EOF
usage: $1 -Ddubbo.services=SERVICES [-Dkey=value ...]

Registers the Dubbo services of the provider beside it and calls them for consumer agents.

  -Dconfig.file=FILE          where further settings stand
  -Ddubbo.services=SERVICES   interface[:version[:group]], by comma, or auto: all that the provider exports; must be set
  -Ddubbo.protocol.port=PORT  the provider (20880)
  -Dregistry=REGISTRY         etcd://host:2379[,host:2379], zookeeper://host:2181[,host:2181][/root] or file:/dir; several by comma
                              (etcd://127.0.0.1:2379). Behind etcd and zookeeper: ?username-file=FILE, with the name and the password in
                              two lines; behind etcd also ca=FILE&cert=FILE&key=FILE, for TLS
  -Dlb.weight=WEIGHT          its share of the calls, 0 to 1000, or auto: by what the provider can execute (1)
  -Dlb.limit=CALLS            at the provider at once, or auto: it learns that (180)
  -Dzone=ZONE                 where it is: calls of consumer agents there stay there while there is room
  -Dserver.port=PORT          takes calls from consumer agents (30000)
  -Dmesh.token-file=FILE      of whom: those that have this token; needed, or mesh.tls.* or mesh.open=true, unless server.host is 127.0.0.1
  -Dadmin.port=PORT           /healthz and /readyz (30001)
  -Dlogs.dir=DIR              where log files go (standard output)
EOF
}

# print_version JAR PROGRAM: the program, the version of its jar, and Java's. Needs java.
print_version() {
  # shellcheck disable=SC2086 # a list of words
  "$java" $agent_jvm -cp "$1" io.dubbomesh.runtime.process.Version "$2"
}

# asked_for [ARGUMENT ...]: help or version, if one of the arguments asks for that.
asked_for() {
  for argument; do
    case $argument in
      -h | -help | --help | '-?')
        echo help
        return ;;
      -V | -version | --version)
        echo version
        return ;;
    esac
  done
}

# check_arguments CONF [ARGUMENT ...]: refuses what is neither -Dkey=value nor an option of the JVM, which would say that there is no such option
# and nothing of the settings, which are in CONF.
check_arguments() {
  settings=$1
  shift
  before=
  while [ $# -gt 0 ]; do
    case $1 in
      -D?* | -X?* | -server | -ea* | -da* | -esa | -dsa | -enable*assertions* | -disable*assertions* | -verbose* | -agent*:* | -javaagent:*) ;;
      --add-*=* | --limit-modules=* | --enable-* | --illegal-*=* | --sun-misc-unsafe-memory-access=* | --finalization=*) ;;
      *) refuse_argument "$settings" "$before" "$1" "${2:-}" ;;
    esac
    before=$1
    shift
  done
}

# refuse_argument CONF BEFORE ARGUMENT NEXT: with the setting that was meant, if it can be seen; BEFORE and NEXT are the arguments around it.
refuse_argument() {
  dashes=${3%%[!-]*}
  word=${3#"$dashes"}
  case $word in
    *=*) value=${word#*=} ;;
    *) case $4 in '' | -*) value=VALUE ;; *) value=$4 ;; esac ;;
  esac
  name=${word%%=*}
  key=$(setting_named "$1" "$name")
  meant=
  case "$2 $3" in
    *' -D') meant=-D$value ;;
    -D*=*' '*) ;;
    -D*' '[!-]*) meant=$2=$3 ;;
  esac
  if [ -z "$meant" ] && [ -n "$key" ]; then
    meant=-D$key=$value
  elif [ -z "$meant" ]; then
    case $name in ?*.?*) meant=-D$name=$value ;; esac
  fi
  if [ -n "$meant" ]; then
    echo "${0##*/}: $3: no such option (did you mean $meant?)" >&2
  else
    echo "${0##*/}: $3: no such option (expected: -Dkey=value)" >&2
  fi
  echo "usage: ${0##*/} [-Dkey=value ...], --help or --version" >&2
  exit 2
}

# setting_named CONF WORD: the setting of CONF that is meant by a word in another case, with other separators, or with the D of -D in front.
setting_named() {
  word=$2 awk '
    function plain(name) { name = tolower(name); gsub(/[-_]/, ".", name); return name }
    /^[#"][a-z][a-z0-9.-]*"? = / {
      key = $1
      gsub(/[#"]/, "", key)
      if (plain(ENVIRON["word"]) == plain(key) || plain(ENVIRON["word"]) == "d" plain(key)) { print key; exit }
    }
  ' "$1" 2>/dev/null || true
}

# run PROGRAM AGENT [ARGUMENT ...]: what bin/PROGRAM does with its arguments, which is in the jar of AGENT. Needs home, where it is installed.
run() {
  program=$1
  agent=$2
  shift 2
  case $(asked_for "$@") in
    help) print_help "$program" "$program" "$home/conf/$program.conf" ;;
    version)
      find_java
      print_version "$home/lib/$agent.jar" "$program" ;;
    *)
      check_arguments "$home/conf/$program.conf" "$@"
      launch "$home/lib/$agent.jar" "$home/lib/$agent" "$@" ;;
  esac
}

# archive_file NAME: where the archive of an agent is, which its JVM starts from. With Java 25 or newer it is an AOT cache (JEP 483, 514 and 515:
# classes that are loaded and linked, and how often their methods were called), else a class archive (JEP 350: classes that are parsed).
archive_file() {
  if [ "${java_version:-0}" -ge 25 ]; then
    echo "$1.aot"
  else
    echo "$1.jsa"
  fi
}

# Prints the options that not every version of Java has. From 25 on Netty does without sun.misc.Unsafe unless it is allowed, and makes the calls of
# malloc and free instead at each start. glibc keeps what the compilers have freed, 10 MB, unless the JVM has it given back.
# In one line: some callers read the flags of the JVM as a line.
version_flags() {
  flags=
  if [ "${java_version:-0}" -ge 25 ]; then
    flags="$flags --sun-misc-unsafe-memory-access=allow"
  fi
  if trims_native_heap; then
    flags="$flags -XX:TrimNativeHeapInterval=10000"
  fi
  echo "${flags# }"
}

# Whether this is a JVM that knows how, on glibc: with another C library it would print a warning.
trims_native_heap() {
  case ${java_version:-0} in
    17) [ "${java_update:-0}" -ge 15 ] || return 1 ;;
    21) [ "${java_update:-0}" -ge 7 ] || return 1 ;;
    *) [ "${java_version:-0}" -ge 22 ] || return 1 ;;
  esac
  [ -e /lib64/ld-linux-x86-64.so.2 ] || [ -e /lib/ld-linux-aarch64.so.1 ]
}

# launch JAR NAME [-Dkey=value ...]: becomes the agent of that jar, with the archive of that name. Later flags win: JVM_MEMORY stands in the
# place of the memory that was measured, and JAVA_OPTS and the arguments follow all of ours.
launch() {
  jar=$1
  name=$2
  shift 2
  find_java
  # Netty's libraries, unpacked where the agent was installed (the images do): /tmp may be read-only, or may not hold programs.
  if [ -d "$home/lib/native" ]; then
    set -- "-Djava.library.path=$home/lib/native" "$@"
  fi
  # An archive that does not fit, such as one of an older JVM, is not worth a word: without it an agent starts as well, only later. But for one that is
  # missing the JVM would leave out its own too.
  archive=$(archive_file "$name")
  [ -r "$archive" ] || archive=
  case $archive in
    '')
      archive_flag=-Xshare:auto
      quiet= ;;
    *.aot)
      archive_flag=-XX:AOTCache=$archive
      quiet='-Xlog:aot=off -Xlog:cds=off' ;;
    *)
      archive_flag=-XX:SharedArchiveFile=$archive
      quiet='-Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off' ;;
  esac
  # Words, but not patterns of file names.
  set -f
  # shellcheck disable=SC2086 # lists of words
  exec "$java" $agent_jvm $(version_flags) ${JVM_MEMORY:-$agent_memory} "$archive_flag" $quiet ${JAVA_OPTS:-} "$@" -jar "$jar"
}

# make_archives JAR FILE [-Dkey=value ...] [JAR FILE [-Dkey=value ...]]: makes the archive of the agent of that jar, or those of a consumer agent and
# a provider agent, from a run in which calls go through both. Needs java. Not with JVM_MEMORY: with a heap that follows the machine on which an image is
# built, its archive might fit no container.
make_archives() {
  # shellcheck disable=SC2086 # a list of words
  "$java" -XX:TieredStopAtLevel=1 -cp "$1" io.dubbomesh.runtime.training.TrainingRun "$agent_jvm $(version_flags) $agent_memory" "$@" &
  training=$!
  wait "$training"
}
