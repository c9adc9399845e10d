#!/usr/bin/env bash
# Runs a command with a private folder for temporary files and caches, and removes the folder afterwards:
#
#   tools/in_memory.sh COMMAND ARGUMENT ...
#
# The folder is in memory if a memory file system has 4 GB left and can run programs (Docker's cannot), otherwise in TMPDIR.
# Tests write many small files. In memory, Rust tests take 20% less time and end-to-end tests 10% less.
set -euo pipefail

in_memory() {
  local left
  left=$(df -Pk "$1" | awk 'NR == 2 { print $4 }')
  ((left > 4000000)) || return 1
  printf '#!/bin/sh\n' >"$1/program" && chmod +x "$1/program" && "$1/program"
}

folder=$(mktemp -d /dev/shm/firstbad-tests.XXXXXX 2>/dev/null) || folder=
trap 'rm -rf "$folder"' EXIT
if [[ -z $folder ]] || ! in_memory "$folder" 2>/dev/null; then
  rm -rf "$folder"
  folder=$(mktemp -d "${TMPDIR:-/tmp}/firstbad-tests.XXXXXX")
fi
rm -f "$folder/program"
mkdir "$folder/files" "$folder/cache"
TMPDIR=$folder/files XDG_CACHE_HOME=$folder/cache "$@"
