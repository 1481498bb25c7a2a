# Comes before the commands of every document (documents.int.test.ts).
set -euo pipefail

# An answer of 400 or more fails the block, although documents write `curl -s`. In a block that is marked `refused` it does
# not, and the block fails without one. curl fails where nothing listens, too, but not if the address is all that is wanted.
# doctest_end reads what is recorded in `failed`, because bash ignores a failure in `export X=$(curl …)` and elsewhere.
curl() {
  local status=0
  command curl --max-time 20 --fail-with-body "$@" || status=$?
  case $status in
    7) [[ "$*" != *'%{url_effective}'* ]] || status=0 ;;
    22)
      echo "curl: an answer of 400 or more" >&2
      if [[ ${DOCTEST_MARK:-} == *refused* ]]; then
        echo 1 >>"$DOCTEST_FOLDER/refused"
        status=0
      fi
      ;;
  esac
  [[ $status == 0 ]] || echo "curl $* ended with $status" >>"$DOCTEST_FAILED"
  return $status
}

# The folder has links to the clone: what installs or tests would destroy it. Of programs, only those of a workspace are
# started, not the stack. Tests are only looked up.
npm() {
  case "${1:-} ${2:-}" in
    "test -w") node scripts/documents/plan-tests.mjs "${@:5}" ;;
    "test "*) node scripts/documents/plan-tests.mjs "${@:3}" ;;
    "run test:unit") node scripts/documents/plan-tests.mjs --unit "${@:4}" ;;
    "run "* | "start -w") command npm "$@" ;;
    *) echo "npm ${1:-} is not run; mark the block: skip reason=\"long-running\"" >&2; return 2 ;;
  esac
}

# For blocks that are marked `setup`, from which readers get no help.
doctest_id_token() {
  command curl -sf http://localhost:4002/admin/id-tokens -H 'Authorization: Bearer mock-idp-dev-admin-key' \
    -H 'Content-Type: application/json' -d "{\"user\":\"$1\",\"client_id\":\"frontend-app\"}" | jq -er .id_token
}
doctest_tokens() { node "$DOCTEST_SIGN_IN" http://localhost:4002 "$1" "${2:-}"; }
doctest_access_token() { doctest_tokens "$1" http://localhost:4000 | jq -er .access_token; }

doctest_id_jag() {
  command curl -sf http://localhost:4002/oauth/token -u tool-hub:tool-hub-dev-secret \
    -d grant_type=urn:ietf:params:oauth:grant-type:token-exchange \
    -d requested_token_type=urn:ietf:params:oauth:token-type:id-jag \
    -d subject_token_type=urn:ietf:params:oauth:token-type:id_token -d subject_token="$(doctest_id_token "$1")" \
    -d audience=http://localhost:4003 -d resource=http://localhost:4003 -d 'scope=mcp:tools:read mcp:tools:call' | jq -er .access_token
}
doctest_tool_token() {
  command curl -sf http://localhost:4003/oauth/token -u tool-hub:tool-hub-at-reference-dev-secret \
    -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer -d assertion="$(doctest_id_jag "$1")" | jq -er .access_token
}

doctest_begin() { # number of the step, its mark, and `first` in a block
  DOCTEST_STEP=$1 DOCTEST_MARK=$2 DOCTEST_FAILED=$DOCTEST_FOLDER/failed
  : >"$DOCTEST_FAILED"
  [[ ${3:-} != first ]] || : >"$DOCTEST_FOLDER/refused"
  exec >"$DOCTEST_FOLDER/$1.out" 2>"$DOCTEST_FOLDER/$1.err"
}
doctest_end() { # `last` in a block
  wait # for a curl in the background; servers are disowned
  if [[ -s $DOCTEST_FAILED ]]; then
    cat "$DOCTEST_FAILED" >&2
    exit 1
  fi
  if [[ ${1:-} == last && $DOCTEST_MARK == *refused* && ! -s "$DOCTEST_FOLDER/refused" ]]; then
    echo 'marked as refused, and every answer was below 400' >&2
    exit 1
  fi
  : >"$DOCTEST_FOLDER/$DOCTEST_STEP.done"
}
# Repeats a condition that comes about by itself.
doctest_until() {
  local tries=0 DOCTEST_FAILED=/dev/null
  until eval "$1"; do
    tries=$((tries + 1))
    if [[ $tries -ge 600 ]]; then echo "never came about: $1" >&2; exit 1; fi
    sleep 0.1
  done
  exec >"$DOCTEST_FOLDER/$DOCTEST_STEP.out" 2>"$DOCTEST_FOLDER/$DOCTEST_STEP.err"
  : >"$DOCTEST_FOLDER/refused"
}
