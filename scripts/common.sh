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

# download_wheel FOLDER REQUIREMENT WHEEL SHA512 NEED [OPTION of pip..]: this very wheel into the folder, whatever Python is here;
# nothing of it is run. NEED says what can't be had without it.
download_wheel() {
  local folder=$1 requirement=$2 wheel=$3 digest=$4 need=$5
  shift 5
  python3 -m venv "$folder/environment" >"$folder/log" 2>&1 || die $EXIT_UNAVAILABLE \
    "python3 -m venv doesn't work (Debian: python3-venv); only $need need what it would fetch"
  "$folder/environment/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --implementation cp \
    --python-version 311 "$@" --dest "$folder" "$requirement" >"$folder/log" 2>&1 </dev/null || {
    tail -n 5 -- "$folder/log" >&2
    die $EXIT_UNAVAILABLE "pip can't fetch $requirement. Is the network there? Once it is, run this again; only $need need it"
  }
  echo "$digest  $folder/$wheel" | sha512sum --check --status ||
    die 1 "$wheel is not the wheel that was checked for leitong (its SHA-512 differs); nothing was installed"
}

# The C and C++ compilers for an architecture of Debian's gcc, in the arrays c_compiler and cxx_compiler, with the compiler
# cache in front where there is one; and in `triple` the name that its tools begin with.
find_compilers() {
  local arch=$1 cache=()
  triple=$arch-linux-gnu
  ! command -v ccache >/dev/null || cache=(ccache)
  c_compiler=("${cache[@]}" "$triple-gcc") cxx_compiler=("${cache[@]}" "$triple-g++")
}
