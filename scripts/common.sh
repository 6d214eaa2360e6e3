# Sourced by the scripts beside it: where the checkout is, how messages look, how many jobs fit this machine.
set -euo pipefail

LEITONG_ROOT=${LEITONG_ROOT:-$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)}
export LEITONG_ROOT
cd -- "$LEITONG_ROOT"

readonly EXIT_USAGE=2 EXIT_UNAVAILABLE=69  # 69: the network or a package is out of reach (sysexits.h)
PROGRAM=$(basename -- "$0")

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then BOLD=$'\e[1m' DIM=$'\e[2m' PLAIN=$'\e[0m'; else BOLD='' DIM='' PLAIN=''; fi

step() { printf '%s== %s%s\n' "$BOLD" "$*" "$PLAIN"; }
note() { printf '%s%s%s\n' "$DIM" "$*" "$PLAIN"; }
warn() { printf '%s: %s\n' "$PROGRAM" "$*" >&2; }
die() {
  local status=$1
  shift
  warn "$*"
  exit "$status"
}

# The comment at the head of a script is its help.
help_of() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"; }

# One compiler job per core, but never more than memory carries (about 1.2 GB for the largest translation unit).
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1200000) }' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  echo $((cores < memory ? cores : memory))
}

# Sets the array as_root to what a command has to begin with to run as root; fails if nothing helps.
find_root() {
  as_root=()
  [ "$(id -u)" -ne 0 ] || return 0
  command -v sudo >/dev/null || return 1
  [ -t 0 ] || sudo -n true 2>/dev/null || return 1
  as_root=(sudo)
}

# version_in: the version that the header include/leitong/version.hpp on standard input has.
version_in() { sed -nE 's/^#define LEITONG_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' | paste -sd.; }

# machine_of FILE: what an object or a program is for, as uname -m says it.
machine_of() { readelf -h -- "$1" | awk '/Machine:/ { machine = tolower($NF); sub("-", "_", machine); print machine; exit }'; }

# for_machine ARCH: sets what programs for these machines are made with: arch; tools, how the names of the compiler's programs begin; sysroot,
# the compiler's option; static, where scripts/static-libraries puts what they are linked with.
for_machine() {
  arch=$1 tools='' sysroot=() static=$LEITONG_ROOT/.deps/static
  [ "$arch" != "$(uname -m)" ] || return 0
  [ "$arch" = aarch64 ] || die $EXIT_USAGE "nothing is made for $arch on $(uname -m)"
  tools=$arch-linux-gnu- sysroot=("--sysroot=$LEITONG_ROOT/.deps/$arch/root") static+=-$arch
}

# The C++ files under the folders, one a line.
sources() {
  local folder
  for folder in "$@"; do
    if [ -d "$folder" ]; then find "$folder" -name '*.[ch]pp'; fi
  done | sort
}

# configure_and_build PRESET [TARGET..]: quiet while all is well. Where build/release does not exist, it is compiled in batches (preset
# "first") and stays so.
configure_and_build() {
  local preset=$1 configured=$1 log
  shift
  if [ "$preset" = release ] && [ ! -e build/release/CMakeCache.txt ]; then configured=first; fi
  log=$(mktemp)
  export CCACHE_SLOPPINESS=pch_defines,time_macros  # ccache may trust the precompiled header of the tests
  if ! cmake --preset "$configured" >"$log" 2>&1; then
    cat -- "$log" >&2
    rm -f -- "$log"
    die 1 "configuring preset \"$preset\" failed (above); after a change of tools, remove build/$preset and try again"
  fi
  rm -f -- "$log"
  cmake --build --preset "$preset" --parallel "$(jobs)" ${1:+--target "$@"}
}
