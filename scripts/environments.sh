# Sourced, after common.sh, by scripts that need Python environments: where these lie, and how they are made. The network is asked
# only for what is missing there.

readonly ENVIRONMENTS=$LEITONG_ROOT/build/python
export PIP_DISABLE_PIP_VERSION_CHECK=1

# requirements_of NAME: the file of an environment.
requirements_of() {
  case $1 in
    tools | tools-abi3) echo python/requirements/build.txt ;;
    tests) echo python/requirements/test.txt ;;
    spark-*) echo "tests/spark/requirements-${1#spark-}.txt" ;;
  esac
}

# environment NAME [PYTHON]: made once for each content of its file of requirements. Fails, and says why, where it can't be had.
environment() {
  local at=$ENVIRONMENTS/$1 python=${2:-python3} requirements digest
  requirements=$LEITONG_ROOT/$(requirements_of "$1")
  digest=$(sha256sum <"$requirements")
  [ "$(cat -- "$at/made-of" 2>/dev/null)" != "$digest" ] || return 0
  mkdir -p -- "$ENVIRONMENTS"
  "$python" -m venv --clear "$at" || { warn "$python -m venv doesn't work (Debian: python3-venv)"; return 1; }
  # Few of the modules are ever imported, and an import compiles them.
  "$at/bin/pip" install --quiet --no-compile -r "$requirements" || { warn "the packages of $requirements can't be had"; return 1; }
  echo "$digest" >"$at/made-of"
}

# stable_pythons: one interpreter of each version that abi3 wheels are for, the oldest first.
stable_pythons() {
  local minor python
  for minor in 12 13 14; do
    for python in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3."$minor".*/bin/python3; do
      if "$python" -c 'import sysconfig, os; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
        echo "$python"
        break
      fi
    done
  done
}
