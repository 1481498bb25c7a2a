#!/bin/bash
# Starts nginx and tells it which replicas there are: those whose names are known, at the addresses that these have now, but
# for those that are not ready. nginx itself asks for names once, and knows a replica as failed only by a request.
set -u
services="management-api:4000 tool-hub:4001 mock-idp:4002 reference-mcp-server:4003 console:4004"

# By a connection of the shell: there is no curl in the image.
is_ready() {
  timeout 1 bash -c 'exec 3<> "/dev/tcp/$0/$1" && printf "GET /readyz HTTP/1.0\r\nHost: nginx\r\n\r\n" >&3 &&
    read -r line <&3 && [[ $line == *" 200 "* ]]' "$1" "$2" 2> /dev/null
}

upstreams() {
  local service name port host address ready others
  missing=
  for service in $services; do
    name=${service%:*} port=${service#*:} ready= others=
    for host in "$name" "$name-2"; do
      address=$(getent ahostsv4 "$host" | awk 'NR == 1 { print $1 }')
      [ -n "$address" ] || continue
      # Passed by for 2 s after a failure: a service that starts again is soon back.
      if is_ready "$address" "$port"; then
        ready+="  server $address:$port max_fails=1 fail_timeout=2s;"$'\n'
      else
        others+="  server $address:$port max_fails=1 fail_timeout=2s;"$'\n'
      fi
    done
    [ -n "$ready" ] || missing=$name
    # Where none is ready they say best themselves why; where there is none, nginx answers 502.
    printf 'upstream %s {\n%s  keepalive 32;\n  keepalive_timeout 60s;\n}\n' "$name" \
      "${ready:-${others:-  server 127.0.0.1:9 down;$'\n'}}"
  done
}

upstreams > /tmp/upstreams.conf
nginx -c /etc/legate/nginx.conf -e stderr -g 'daemon off;' &
nginx=$!
# What runs gets as long as the services' own grace time.
trap 'kill -QUIT "$nginx"; (sleep 15; kill -TERM "$nginx") &' TERM INT
while kill -0 "$nginx" 2> /dev/null; do
  sleep 2 &
  wait $!
  upstreams > /tmp/upstreams.new
  if ! cmp -s /tmp/upstreams.new /tmp/upstreams.conf; then
    mv /tmp/upstreams.new /tmp/upstreams.conf
    kill -HUP "$nginx"
  fi
  # Healthy from then on: what is lost later the services say themselves.
  [ -n "$missing" ] || touch /tmp/has-been-whole
done
wait "$nginx"
