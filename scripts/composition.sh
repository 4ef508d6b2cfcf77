# shellcheck shell=bash
# Shared by the scripts that run docker/docker-compose.yml. Sourced, never run.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

composed_agents=(consumer-agent provider-agent-small provider-agent-medium provider-agent-large)

# use_composition PROJECT FILE...: makes the images of these files of docker/ and what they need; at the end all is taken down,
# unless keep=1. Sets $work.
use_composition() {
  local file
  project=$1
  composition=(-p "$project")
  for file in "${@:2}"; do
    composition+=(-f "$root/docker/$file")
  done
  require_engine
  build consumer-agent provider-agent meshctl testing/demo/dubbo33
  use_work_directory
  trap take_down EXIT
  export COMPOSE_IGNORE_ORPHANS=1
  [[ -n $(container consumer-agent 2>/dev/null) ]] || require_ports 20000 "the consumer agent" 20001 "its admin port"
  echo "building the images"
  mesh_compose build >"$work/images.log" 2>&1 || fail_with_log images "could not be built"
}

take_down() {
  ((${keep:-0})) || mesh_compose down -t 10 >/dev/null 2>&1 || true
  clean_up
}

mesh_compose() {
  compose "${composition[@]}" "$@"
}

container() {
  mesh_compose ps -q "$1"
}

# Everything but the load; returns when all agents are ready.
start_composition() {
  local agent services end=$((SECONDS + 120))
  mapfile -t services < <(mesh_compose config --services | grep -vx bench)
  mesh_compose up -d "${services[@]}" >"$work/composition.log" 2>&1 || fail_with_log composition "could not be started"
  for agent in "${composed_agents[@]}"; do
    until docker exec "$(container "$agent")" healthcheck "$(admin_port_of "$agent")" >/dev/null 2>&1; do
      ((SECONDS < end)) || { mesh_compose logs --no-color --tail 20 "$agent" >&2; die "$agent is not ready after 120 s"; }
      sleep 0.2
    done
  done
}

admin_port_of() {
  if [[ $1 == consumer-agent ]]; then echo 20001; else echo 30001; fi
}
