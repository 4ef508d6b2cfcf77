#!/usr/bin/env bash
# Calls unchanged applications of Apache's dubbo-samples through pairs of agents and through a gateway, and notes which calls are right in
# testing/acceptance/src/test/resources/compatibility.samples.md; of applications that are named it prints the rows only. usage: samples.sh DIR [APPLICATION...]
# DIR is a checkout in which the applications are built: the classes of each module are in its target/classes, the jars that it
# needs in its target/dependency: mvn package dependency:copy-dependencies, with -Ddubbo.version=3.3.5 where a snapshot is wanted. An application is
# started as it is, at its own ports, with its own registry if that is a ZooKeeper, which is started here where the application does not bring one. Those
# that register with Nacos register with ZooKeeper instead.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

table=$root/testing/acceptance/src/test/resources/compatibility.samples.md
url=http://127.0.0.1
# Of the pair with the class files of the services, and of the pair without: the provider agent, its admin port, the consumer agent, its admin port.
ports=(30000 30001 20000 20001 30010 30011 20010 20011)
# Of the gateway, which has no class files, no list of services and no tokens but those that it reads in the application's ZooKeeper.
gateway_port=20020
gateway_admin=20021
zookeeper_port=2181
kinds=(with without gateway)
descriptions=('with class files' 'without class files' 'by the gateway')
callers=("${ports[2]}" "${ports[6]}" "$gateway_port")
ways=(typed untyped)
samples=org.apache.dubbo.samples

(($#)) || die "no directory (expected: a checkout of Apache's dubbo-samples with its applications built)"
directory=$(cd "$1" 2>/dev/null && pwd) || die "$1: no such directory (expected: a checkout of Apache's dubbo-samples)"
shift
wanted=("$@")
# An application with ZooKeeper and its client.
zookeeper_jars=$directory/2-advanced/dubbo-samples-context/target/dependency
# For those that would register with Nacos, and have no client of ZooKeeper.
in_zookeeper=("-Ddubbo.registry.address=zookeeper://127.0.0.1:$zookeeper_port")

# --- one application ---------------------------------------------------------

# What the next application is called by: dubbo, tri, or grpc, of which there is a gateway only.
protocol=dubbo

# application NAME MODULE MAIN PORT SERVICES [-Dkey=value...]: starts the application, and in front of it two pairs of agents and a
# gateway. False if it is not wanted. Variables before the command say what else is to be known of it:
# registered=yes|no|instance      whether it registers its services, its address alone, or neither: then the gateway gets its address
# gateway_types=yes               the gateway has its class files
application() {
  local registered=${registered:-yes} settings=()
  name=$1 module=$directory/$2 main=$3 dubbo_port=$4 services=$5
  shift 5
  [[ ${#wanted[@]} == 0 || " ${wanted[*]} " == *" $name "* ]] || return 1
  echo "$name"
  [[ -d $module/target/classes && -d $module/target/dependency ]] ||
    die "$module is not built (expected: its classes in target/classes, the jars that it needs in target/dependency)"
  classpath="$module/target/classes:$module/target/dependency/*"
  require_ports "$dubbo_port" "the application $name" "$zookeeper_port" "its ZooKeeper" \
    "${ports[0]}" "a provider agent" "${ports[2]}" "a consumer agent" "${ports[4]}" "a provider agent" "${ports[6]}" "a consumer agent" "$gateway_port" "the gateway"
  rm -rf "$work/tmp"
  mkdir -p "$work/tmp"
  version=$(find "$module/target/dependency" -name 'dubbo-[0-9]*.jar' | sed -n '1s/.*dubbo-\(.*\)\.jar/\1/p')
  if [[ " $* " == *" ${in_zookeeper[0]} "* ]]; then
    classpath+=:$(printf '%s:' "$zookeeper_jars"/{curator,zookeeper,guava}*.jar)
  fi
  if [[ $registered != no ]] && { [[ $name == generic-call ]] || ! compgen -G "$module/target/dependency/metrics-core-*.jar" >/dev/null; }; then
    # The others have what a ZooKeeper in their own process needs. generic-call has it too, and does not start it.
    start_zookeeper
  fi
  # Its ZooKeeper, if it brings one, has its data below java.io.tmpdir.
  start "$name" "$java" -XX:+UseSerialGC -Xmx512m "${opened[@]}" -Djava.io.tmpdir="$work/tmp" "$@" -cp "$classpath" "$main"
  await "$name" 90 exported "$dubbo_port"
  write_tokens
  if [[ $protocol != grpc ]]; then
    start_pairs
  fi
  if [[ $registered == no ]]; then
    settings+=("-Dregistry=static:$protocol://127.0.0.1:$dubbo_port")
  else
    settings+=("-Dregistry=zookeeper://127.0.0.1:$zookeeper_port")
  fi
  if [[ ${gateway_types:-no} == yes ]]; then
    settings+=("-Ddubbo.api.jars=$module/target/classes")
  fi
  start gateway "$java" "${agent_flags[@]}" -Dtype=gateway "${settings[@]}" \
    "-Dserver.port=$gateway_port" "-Dadmin.port=$gateway_admin" -jar "$(jar_of consumer-agent)"
  await gateway 60 get "$url:$gateway_admin/readyz"
  await gateway 60 sees_services "$gateway_port"
  if [[ ${gateway_types:-no} == yes ]]; then
    await gateway 60 knows_services "$gateway_port"
  fi
  right=(0 0 0) made=(0 0 0) wrong=()
}

start_pairs() {
  start_pair "${kinds[0]}" "${ports[@]:0:4}" "-Ddubbo.api.jars=$module/target/classes,$module/target/dependency"
  start_pair "${kinds[1]}" "${ports[@]:4:4}"
  for agent in 1 3 5 7; do
    await "$(agent_at "$agent")" 60 get "$url:${ports[agent]}/readyz"
  done
  for agent in 2 6; do
    await "$(agent_at "$agent")" 60 sees_services "${ports[agent]}"
  done
}

# What Spring and ZooKeeper reach into by reflection.
opened=(--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.math=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED
  --add-opens java.base/java.net=ALL-UNNAMED --add-opens java.base/java.time=ALL-UNNAMED)

agent_at() {
  local names=(provider-agent-with provider-agent-with consumer-agent-with consumer-agent-with
    provider-agent-without provider-agent-without consumer-agent-without consumer-agent-without)
  echo "${names[$1]}"
}

# With the jars of an application that brings its own: the others have its client only.
start_zookeeper() {
  start zookeeper "$java" -XX:+UseSerialGC -Xmx128m -Dzookeeper.admin.enableServer=false \
    -cp "$zookeeper_jars/*" \
    org.apache.zookeeper.server.ZooKeeperServerMain "$zookeeper_port" "$work/tmp/zookeeper"
  await zookeeper 30 listens "$zookeeper_port"
}

# Whether the consumer agent at this port has read from the registry that there are the services.
sees_services() {
  local service
  for service in ${services//,/ }; do
    [[ $(curl -s --max-time 5 "$url:$1/${service%%:*}") != *SERVICE_NOT_FOUND* ]] || return 1
  done
}

# Whether the consumer agent at this port has the types of the services from class files: the first calls wait for them for some seconds only.
knows_services() {
  local service
  for service in ${services//,/ }; do
    [[ $(curl -s --max-time 5 "$url:$1/${service%%:*}") == *'"class files"'* ]] || return 1
  done
}

listens() {
  (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Whether every service is exported and, if the application has a registry, registered there.
exported() {
  local service
  listens "$1" || return 1
  [[ $registered == yes ]] || return 0
  for service in ${services//,/ }; do
    registered_url "$service" | grep -q . || return 1
  done
}

# registered_url INTERFACE[:VERSION[:GROUP]]: the service's URL, percent-encoded, from the log of the application's ZooKeeper.
registered_url() {
  find "$work/tmp" -path '*version-2/log*' -exec grep -haoE "$protocol%3A%2F%2F[A-Za-z0-9%._-]*" {} + |
    grep "%2F${1%%:*}%3F" | grep -E "$(selector "$1")" | tail -n 1
}

# The token of each service, which is random, for dubbo.token-file.
write_tokens() {
  local service token
  : >"$work/tokens"
  for service in ${services//,/ }; do
    token=$(registered_url "$service" | sed -n 's/.*token%3D\([0-9a-f-]\{36\}\).*/\1/p' || true)
    if [[ -n $token ]]; then
      echo "$service=$token" >>"$work/tokens"
    fi
  done
}

# selector INTERFACE[:VERSION[:GROUP]]: what is in the URL of that variant, as a pattern.
selector() {
  local parts
  IFS=: read -ra parts <<<"$1"
  if [[ -n ${parts[2]:-} ]]; then
    echo "group%3D${parts[2]}(%26|$)"
  elif [[ -n ${parts[1]:-} ]]; then
    echo "version%3D${parts[1]}(%26|$)"
  else
    echo "${parts[0]}"
  fi
}

# start_pair KIND PORT ADMIN-PORT PORT ADMIN-PORT [-Dkey=value...]
start_pair() {
  local kind=$1 provider_port=$2 provider_admin=$3 consumer_port=$4 consumer_admin=$5
  shift 5
  mkdir -p "$work/registry-$name-$kind"
  start "provider-agent-$kind" "$java" "${agent_flags[@]}" "-Dregistry=file:$work/registry-$name-$kind" -Dserver.host=127.0.0.1 \
    "-Dserver.port=$provider_port" "-Dadmin.port=$provider_admin" "-Ddubbo.protocol.name=$protocol" "-Ddubbo.protocol.port=$dubbo_port" \
    "-Ddubbo.services=$services" \
    "-Ddubbo.token-file=$work/tokens" "$@" -jar "$(jar_of provider-agent)"
  start "consumer-agent-$kind" "$java" "${agent_flags[@]}" "-Dregistry=file:$work/registry-$name-$kind" \
    "-Dserver.port=$consumer_port" "-Dadmin.port=$consumer_admin" -jar "$(jar_of consumer-agent)"
}

# call PATH TYPES ARGUMENTS STATUS TEXT [HEADER...]: a call by both pairs and by the gateway, with types and without; its answer must have
# this status and contain this text.
call() {
  local kind
  for kind in 0 1 2; do
    call_by "$kind" "$@"
  done
}

# call_by KIND ...: the same by one of them.
call_by() {
  local kind=$1 path=$2 types=$3 arguments=$4 status=$5 text=$6 way answer header headers
  shift 6
  for way in "${ways[@]}"; do
    headers=(-H 'Content-Type: application/json' -H 'X-Request-Timeout: 20000')
    for header in "$@"; do
      headers+=(-H "$header")
    done
    [[ $way == untyped ]] || headers+=(-H "X-Dubbo-Parameter-Types: $types")
    answer=$(curl -s --max-time 30 -w '\n%{http_code}' "${headers[@]}" -d "$arguments" "$url:${callers[kind]}/$path" || true)
    made[kind]=$((made[kind] + 1))
    if [[ ${answer##*$'\n'} == "$status" && $answer == *"$text"* ]]; then
      right[kind]=$((right[kind] + 1))
    else
      wrong+=("$way, ${descriptions[kind]}: $path $arguments: ${answer//$'\n'/ } (expected: $status, $text)")
    fi
  done
}

# finish PECULIARITY: ends the application and its agents, and notes its row.
finish() {
  local line with="${right[0]} of ${made[0]}" without="${right[1]} of ${made[1]}" gateway="${right[2]} of ${made[2]}"
  ((made[0])) || with='-'
  ((made[1])) || without=$(((made[0])) && echo 'needs them' || echo -)
  ((made[2])) || gateway='needs class files'
  echo "  right with class files: $with, without: $without, by the gateway: $gateway"
  for line in ${wrong[@]+"${wrong[@]}"}; do
    echo "  wrong: $line"
    faults=$((faults + 1))
  done
  rows+=("| \`$name\` | $version | $1 | $with | $without | $gateway |")
  stop_all
}

# --- all of them -------------------------------------------------------------

need jdk curl
build provider-agent consumer-agent
use_work_directory
keep_logs=1
rows=()
faults=0

advanced=2-advanced/dubbo-samples
shop=10-task/dubbo-samples-shop/dubbo-samples-shop

if application group $advanced-group/dubbo-samples-group-provider $samples.group.provider.ProviderApplication 20880 \
  "$samples.group.api.GroupService::groupA,$samples.group.api.GroupService::groupB"; then
  call "$samples.group.api.GroupService/sayHello?group=groupA" java.lang.String '["you"]' 200 'in group A'
  call "$samples.group.api.GroupService/sayHello?group=groupB" java.lang.String '["you"]' 200 'in group B'
  finish 'two groups, a random token for each'
fi

if application version $advanced-version $samples.version.VersionProvider 20880 "$samples.version.api.VersionService:1.0.0"; then
  call "$samples.version.api.VersionService/sayHello?version=1.0.0" java.lang.String '["you"]' 200 '"hello, you"'
  call "$samples.version.api.VersionService/sayHello?version=2.0.0" java.lang.String '["you"]' 404 METHOD_NOT_FOUND
  finish 'a version, a random token'
fi

if application attachment $advanced-attachment/dubbo-samples-attachment-provider $samples.attachment.AttachmentProvider 20880 \
  "$samples.attachment.api.AttachmentService"; then
  call "$samples.attachment.api.AttachmentService/sayHello" java.lang.String '["you"]' 200 'attachment - index: 7' \
    'X-Dubbo-Attachment-index: 7'
  finish 'attachments'
fi

if application context $advanced-context $samples.context.ContextProvider 20880 "$samples.context.api.ContextService"; then
  call "$samples.context.api.ContextService/sayHello" java.lang.String '["you"]' 200 'isProviderSide: true'
  finish 'the context of a call'
fi

if application generic-call $advanced-generic/dubbo-samples-generic-call/dubbo-samples-generic-call-provider \
  $samples.generic.call.GenericCallProvider 20880 "$samples.generic.call.api.HelloService"; then
  call "$samples.generic.call.api.HelloService/sayHello" java.lang.String '["you"]' 200 '"sayHello: you"'
  call "$samples.generic.call.api.HelloService/sayHelloAsyncComplex" java.lang.String '["you"]' 200 '"name":"sayHelloAsyncComplex: you"'
  call "$samples.generic.call.api.HelloService/sayHelloAsyncGenericComplex" java.lang.String '["you"]' 200 \
    '"name":"sayHelloAsyncGenericComplex: you"'
  finish 'results that come later, a generic class'
fi

if application generic-type $advanced-generic/dubbo-samples-generic-type $samples.generic.GenericProvider 20880 \
  "$samples.generic.api.UserService"; then
  call_by 0 "$samples.generic.api.UserService/get" "$samples.generic.api.Params" '[{"params":{"id":"1","name":"Charles"}}]' 200 \
    '"name":"Charles"'
  finish 'a generic base interface'
fi

if application generic-impl $advanced-generic/dubbo-samples-generic-impl/dubbo-samples-generic-impl-provider \
  $samples.generic.call.GenericImplProvider 20880 "$samples.generic.call.api.HelloService"; then
  call "$samples.generic.call.api.HelloService/sayHelloAsync" java.lang.String '["you"]' 200 '"sayHelloAsync: hello you"'
  call "$samples.generic.call.api.HelloService/sayHello" java.lang.String '["you"]' 500 'sayHello: throws exception'
  call "$samples.generic.call.api.HelloService/notImplementedHello" java.lang.String '["you"]' 500 java.lang.UnsupportedOperationException
  finish 'a GenericService'
fi

if application validation $advanced-validation $samples.validation.ValidationProvider 20880 "$samples.validation.api.ValidationService"; then
  call "$samples.validation.api.ValidationService/delete" long,java.lang.String '[2,"abc"]' 200 null
  call "$samples.validation.api.ValidationService/delete" long,java.lang.String '[0,"abc"]' 400 VALIDATION_FAILED
  call "$samples.validation.api.ValidationService/save" "$samples.validation.api.ValidationParameter" \
    '[{"name":"yang siming","email":"yang@example.com","age":50}]' 200 null
  call "$samples.validation.api.ValidationService/save" "$samples.validation.api.ValidationParameter" '[{"name":"y","age":50}]' 400 \
    VALIDATION_FAILED
  finish 'validated arguments'
fi

if application async $advanced-async/dubbo-samples-async-original-future $samples.async.AsyncProvider 20880 "$samples.async.api.AsyncService"; then
  call "$samples.async.api.AsyncService/sayHello" java.lang.String '["you"]' 200 '"async response from provider."'
  finish 'a CompletableFuture after ten seconds'
fi

if application async-context $advanced-async/dubbo-samples-async-provider $samples.async.AsyncProvider 20880 "$samples.async.api.AsyncService"; then
  call "$samples.async.api.AsyncService/sayHello" java.lang.String '["you IT"]' 200 '"Hello you IT, response from provider."'
  finish 'an AsyncContext'
fi

if application multiple-protocols $advanced-multiple-protocols/dubbo-samples-multiple-protocols-provider \
  org.apache.dubbo.protocol.multiple.demo.provider.ProviderApplication 20880 org.apache.dubbo.protocol.multiple.demo.DemoService "${in_zookeeper[@]}"; then
  call org.apache.dubbo.protocol.multiple.demo.DemoService/sayHello java.lang.String '["you"]' 200 '"Hello you"'
  finish 'Dubbo and Triple at one port'
fi

if application echo $advanced-echo/dubbo-samples-echo-provider $samples.provider.EchoProvider 20880 "$samples.echo.api.DemoService"; then
  call "$samples.echo.api.DemoService/sayHello" java.lang.String '["you"]' 200 'Hello you'
  # No interface declares it, so it has types that only a request can name.
  ways=(typed)
  call "$samples.echo.api.DemoService/\$echo" java.lang.Object '["OK"]' 200 '"OK"'
  ways=(typed untyped)
  finish 'an echo'
fi

if application cache $advanced-cache/dubbo-samples-cache-provider $samples.cache.CacheProvider 20880 "$samples.cache.api.CacheService"; then
  call "$samples.cache.api.CacheService/findCache" java.lang.String '["1"]' 200 'request: 1, response: '
  finish 'a cache at the provider'
fi

if application annotation $advanced-annotation $samples.annotation.AnnotationProviderBootstrap 20880 \
  "$samples.annotation.api.HelloService:1.0.0_annotation,$samples.annotation.api.GreetingService:1.0.0_annotation"; then
  call "$samples.annotation.api.HelloService/sayHello?version=1.0.0_annotation" java.lang.String '["you"]' 200 '"Annotation, hello you"'
  call "$samples.annotation.api.GreetingService/replyGreeting?version=1.0.0_annotation" java.lang.String '["you"]' 200 '"Annotation, fine you"'
  finish 'default methods of an interface'
fi

if application shop-user $shop-user $samples.user.UserApplication 20884 "$samples.UserService" "${in_zookeeper[@]}"; then
  call "$samples.UserService/register" "$samples.User" '[{"username":"dubbo","password":"dubbo","phone":"1"}]' 200 true
  call "$samples.UserService/getInfo" java.lang.String '["dubbo"]' 200 '"username":"dubbo"'
  finish 'the shop, a random token'
fi

if application shop-comment $shop-comment-v1 $samples.comment.CommentApplication 20887 "$samples.CommentService" "${in_zookeeper[@]}"; then
  call "$samples.CommentService/getComment" java.lang.String '["tea"]' 200 '"Comment from v1."'
  finish 'the shop, a random token'
fi

# --- by Triple ---------------------------------------------------------------

triple=${#rows[@]}
protocol=tri
basic=1-basic/dubbo-samples
streamed='Accept: application/x-ndjson'
ended=$'\n{"$end":{"status":200,"code":"OK"}}'

# What Dubbo's stubs for protobuf export: a call names no types, and the pair without class files does not know its messages.
protobuf() {
  ways=(untyped)
  call_by 0 "$@"
  call_by 2 "$@"
  ways=(typed untyped)
}

# stream PATH TYPES ARGUMENTS TEXT: a call that is answered by a stream, whose last message ends with this text.
stream() {
  call_by 2 "$1" "$2" "$3" 200 "$4$ended" "$streamed"
}

if registered=instance application quickstart 11-quickstart/quickstart-service $samples.quickstart.QuickStartApplication 50051 \
  $samples.quickstart.dubbo.api.DemoService "${in_zookeeper[@]}"; then
  call $samples.quickstart.dubbo.api.DemoService/sayHello java.lang.String '["you"]' 200 '"Hello you"'
  finish 'registered by instance alone'
fi

if registered=no application api $basic-api $samples.provider.Application 50052 $samples.api.GreetingsService; then
  call $samples.api.GreetingsService/sayHi java.lang.String '["you"]' 200 '"hi, you"'
  finish 'no registry'
fi

if registered=no gateway_types=yes application api-idl $basic-api-idl $samples.tri.unary.TriUnaryServer 50052 $samples.tri.unary.Greeter; then
  protobuf $samples.tri.unary.Greeter/greet '' '{"name":"you"}' 200 '{"message":"hello,you"}'
  protobuf $samples.tri.unary.Greeter/greet '' '{"names":"you"}' 400 BAD_ARGUMENT
  finish 'protobuf, no registry'
fi

if application spring-boot $basic-spring-boot/dubbo-samples-spring-boot-provider org.apache.dubbo.springboot.demo.provider.ProviderApplication 50052 \
  org.apache.dubbo.springboot.demo.DemoService "${in_zookeeper[@]}"; then
  call org.apache.dubbo.springboot.demo.DemoService/sayHello java.lang.String '["you"]' 200 '"Hello you"'
  finish 'Spring Boot'
fi

if application nacos-registry 3-extensions/registry/dubbo-samples-nacos/dubbo-samples-nacos-registry $samples.ProviderBootstrap 50052 \
  "$samples.api.GreetingService:1.0.0" "${in_zookeeper[@]}"; then
  call "$samples.api.GreetingService/sayHello?version=1.0.0" java.lang.String '["you"]' 200 '"hello, you"'
  finish 'a version, a random token'
fi

if application mock $advanced-mock/dubbo-samples-mock-provider $samples.mock.provider.ProviderApplication 50052 $samples.mock.api.DemoService; then
  call $samples.mock.api.DemoService/sayHello java.lang.String '["you"]' 200 '"hello you"'
  finish 'an answer after five seconds'
fi

if application environment-keys $advanced-environment-keys/dubbo-samples-environment-keys-provider \
  $samples.environment.keys.provider.ProviderApplication 50052 $samples.environment.keys.api.DemoService; then
  call $samples.environment.keys.api.DemoService/sayHello java.lang.String '["you"]' 200 '"Hello, you, respend from provider: '
  finish 'the context of a call'
fi

if registered=no gateway_types=yes application no-idl $advanced-triple-no-idl $samples.tri.noidl.TriPojoServer 50052 $samples.tri.noidl.api.PojoGreeter; then
  call $samples.tri.noidl.api.PojoGreeter/greet java.lang.String '["you"]' 200 '"hello,you"'
  stream $samples.tri.noidl.api.PojoGreeter/greetServerStream java.lang.String '["you"]' '"hello,you"'
  call_by 2 $samples.tri.noidl.api.PojoGreeter/greetStream '' '[]' 501 NOT_IMPLEMENTED
  finish 'streams of strings, no registry'
fi

if registered=no gateway_types=yes application streaming $advanced-triple-streaming $samples.tri.streaming.StreamRestApplication 50052 \
  $samples.tri.streaming.Greeter; then
  ways=(untyped)
  stream $samples.tri.streaming.Greeter/serverStream '' '{"name":"you"}' '{"message":"reply from serverStream. 9"}'
  call_by 2 $samples.tri.streaming.Greeter/biStream '' '{"name":"you"}' 501 NOT_IMPLEMENTED
  ways=(typed untyped)
  finish 'streams of protobuf, no registry'
fi

if registered=no application rest-springmvc $advanced-triple-rest/dubbo-samples-triple-rest-springmvc org.apache.dubbo.rest.demo.SpringmvcRestApplication \
  50052 org.apache.dubbo.rest.demo.DemoService; then
  call org.apache.dubbo.rest.demo.DemoService/hello java.lang.String '["you"]' 200 '"Hello you"'
  call org.apache.dubbo.rest.demo.DemoService/primitiveLong long,java.lang.Long '[9007199254740993,1]' 200 9007199254740994
  call org.apache.dubbo.rest.demo.DemoService/postList java.util.List '[[{"id":1,"name":"a"}]]' 200 '"name":"a"'
  finish 'annotations of Spring MVC, no registry'
fi

sample=org.apache.dubbo.sample.tri
if gateway_types=yes application triple 3-extensions/protocol/dubbo-samples-triple $sample.TestServers 50052 "$sample.Greeter,$sample.api.PojoGreeter"; then
  protobuf $sample.Greeter/greet '' '{"name":"you"}' 200 '{"message":"hello,you"}'
  protobuf $sample.Greeter/UpperCaseGreet '' '{"name":"you"}' 404 METHOD_NOT_FOUND
  protobuf $sample.Greeter/greetException '' '{"name":"you"}' 502 'Biz Exception'
  call $sample.api.PojoGreeter/greet java.lang.String '["you"]' 200 '"hello,you"'
  call $sample.api.PojoGreeter/greetChildPojo java.lang.Byte '[-128]' 200 '"byte1":-128'
  call $sample.api.PojoGreeter/unaryFuture java.lang.String '["you"]' 200 '"you"'
  for kind in 0 2; do
    call_by "$kind" $sample.api.PojoGreeter/overload '' '[]' 200 '"overload"'
    call_by "$kind" $sample.api.PojoGreeter/overload java.lang.String '["you"]' 200 '"you"'
  done
  call $sample.api.PojoGreeter/greetResponseVoid java.lang.String '["you"]' 200 null
  call $sample.api.PojoGreeter/greetException java.lang.String '["you"]' 500 'Biz exception'
  call $sample.api.PojoGreeter/greetWithAttachment java.lang.String '["you"]' 200 '"hello,you"'
  stream $sample.api.PojoGreeter/greetServerStream java.lang.String '["you"]' '"hello,you"'
  finish 'protobuf and Java interfaces, exceptions, overloads'
fi

protocol=grpc
if registered=no gateway_types=yes application triple-grpc 3-extensions/protocol/dubbo-samples-triple $sample.TestServers 50053 $sample.Greeter; then
  ways=(untyped)
  call_by 2 $sample.Greeter/greet '' '{"name":"you"}' 200 '{"message":"hello,you"}'
  call_by 2 $sample.Greeter/greetServerStream '' '{"name":"you"}' 200 '{"message":"you--9"}'"$ended" "$streamed"
  call_by 2 $sample.Greeter/greetStream '' '{"name":"you"}' 501 NOT_IMPLEMENTED
  ways=(typed untyped)
  finish 'a gRPC server of grpc-java'
fi

if ((!${#wanted[@]})); then
  {
    cat <<EOF

## Applications of dubbo-samples

\`./scripts/samples.sh\` starts applications of Apache's dubbo-samples as they are and calls each through a pair of agents that has the class files of its
services and a pair that has none, with types and without. A gateway without class files makes the same calls: it finds the applications in the ZooKeeper
in which they register themselves. The numbers are the answers that were right, of all calls. For the provider agents, random tokens were read from
the application's ZooKeeper, and given to them by \`dubbo.token-file\`; the gateway reads them itself. Not unchanged: the shop and multiple-protocols, which
register with Nacos, were started with the address of a ZooKeeper and its client on their class path.

| application | Dubbo | what is in it | pair with class files | pair without | gateway |
|---|---|---|---|---|---|
EOF
    printf '%s\n' "${rows[@]:0:triple}"
    cat <<EOF

### By Triple alone

These applications export nothing but Triple, or are a gRPC server. The gateway finds those that have no registry by \`static:tri://\`
or \`static:grpc://\`, and has the class files of those with protobuf or streams. Streams were called by the gateway alone.
\`quickstart\`, \`spring-boot\`, \`nacos-registry\` register with ZooKeeper instead of Nacos. Where an application wants a snapshot of Dubbo, it was built with 3.3.5, the newest that has a compiler for protobuf.

| application | Dubbo | what is in it | pair with class files | pair without | gateway |
|---|---|---|---|---|---|
EOF
    printf '%s\n' "${rows[@]:triple}"
  } >"$table"
else
  printf '%s\n' ${rows[@]+"${rows[@]}"}
fi
((faults == 0)) || die "$faults calls were wrong"
