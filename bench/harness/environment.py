"""The peers' own environment: a Python venv, a Rust program, a C++ program. What can't be had is said, loudly."""
import platform
import subprocess
import sys

from . import paths

PEERS = paths.BENCH / "peers"
VENV = paths.WORK / "venv"
METHODS_VENV = paths.WORK / "venv-methods"
TEXT_VENV = paths.WORK / "venv-text"
ONLINE_VENV = paths.WORK / "venv-online"
PARTS_VENV = paths.WORK / "venv-parts"
GAOYA = paths.WORK / "gaoya" / "release" / "gaoya-peer"
JIEBA_RS = paths.WORK / "jieba-rs" / "release" / "jieba-rs-peer"
SIMHASH = paths.WORK / "simhash_jieba"
JIEBA = paths.WORK / "jieba" / "package" / "submodules" / "cppjieba"
NODEJIEBA = "nodejieba@3.5.8"  # carries cppjieba 5.4.0 and its dictionaries (MIT)

PYTHON_PEERS = {"datasketch": "datasketch_lsh", "rensa": "rensa_lsh", "FastSketchLSH": "fastsketchlsh_lsh",
                "text-dedup": "text_dedup_minhash", "datatrove": "datatrove_minhash"}


def _venv(folder=VENV, requirements="requirements.txt"):
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "-r", PEERS / requirements], check=True)
        (folder / "ready").touch()


def _rust(program):
    name = program.parent.parent.name
    if not program.exists():
        subprocess.run(["cargo", "build", "--quiet", "--locked", "--release", "--manifest-path",
                        PEERS / name / "Cargo.toml", "--target-dir", paths.WORK / name, "--config",
                        "build.rustflags=['-C', 'target-cpu=native']"], check=True)


def _simhash():
    if not JIEBA.is_dir():
        target = paths.WORK / "jieba"
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", NODEJIEBA], cwd=target, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "xzf", next(target.glob("*.tgz")).name], cwd=target, check=True)
    if not SIMHASH.exists():
        subprocess.run(["c++", "-O3", "-march=native", "-std=c++20", "-w", f"-I{JIEBA}/include",
                        f"-I{JIEBA}/deps/limonp/include", PEERS / "simhash_jieba.cpp", "-o", SIMHASH, "-lsimdjson"],
                       check=True)


def prepare_methods():
    """The environment of `bench/methods`; peer -> why it can't be had."""
    return _attempt_all([(["datasketch", "rensa", "simhash"], lambda: _venv(METHODS_VENV, "methods-requirements.txt")),
                         (["gaoya"], lambda: _rust(GAOYA))])


def prepare_online():
    """The environment of the peers of `bench/online`; peer -> why it can't be had."""
    return _attempt_all([(["datasketch on Redis", "pg_trgm", "FAISS"], lambda: _venv(ONLINE_VENV, "online-requirements.txt"))])


def prepare_parts():
    """As prepare(), for the peers of `bench/parts`."""
    commands = {"datatrove": [VENV / "bin" / "python", PEERS / "datatrove_sentences.py"],
                "suffix array": [PARTS_VENV / "bin" / "python", PEERS / "suffix_array.py"]}
    missing = _attempt_all([(["datatrove"], _venv), (["suffix array"], lambda: _venv(PARTS_VENV, "parts-requirements.txt"))])
    return {name: command for name, command in commands.items() if name not in missing}, missing


def _attempt_all(steps):
    """Makes what is missing; name -> why it can't be had, said loudly."""
    missing = {}
    paths.WORK.mkdir(parents=True, exist_ok=True)
    for names, make in steps:
        try:
            make()
        except (OSError, subprocess.CalledProcessError, StopIteration) as problem:
            for name in names:
                missing[name] = str(problem).replace(str(paths.ROOT), ".")
                print(f"!! {name} CANNOT BE HAD: {missing[name]}", flush=True)
    return missing


def prepare():
    """Peer -> the beginning of its command line (INPUT OUTPUT key=value .. follow); and peer -> why it can't be had."""
    commands = {name: [VENV / "bin" / "python", PEERS / f"{adapter}.py"] for name, adapter in PYTHON_PEERS.items()}
    commands |= {"gaoya": [GAOYA], "simhash (cppjieba)": [SIMHASH, JIEBA / "dict"]}
    missing = _attempt_all([(PYTHON_PEERS, _venv), (["gaoya"], lambda: _rust(GAOYA)), (["simhash (cppjieba)"], _simhash)])
    return {name: command for name, command in commands.items() if name not in missing}, missing


def package():
    """The newest wheel of leitong for this Python."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    wheels = sorted((paths.ROOT / "build" / "wheels").glob(f"leitong-*-{tag}-*_{platform.machine()}.whl"))
    if not wheels:
        raise FileNotFoundError(f"build/wheels has no wheel for {tag}; run ./dev python")
    return wheels[-1]


def prepare_python_peers():
    """As prepare(), for Python packages alone, leitong's own among them."""
    def install():
        _venv()
        subprocess.run([VENV / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--force-reinstall", package()], check=True)

    commands = {name: [VENV / "bin" / "python", PEERS / f"{adapter}.py"]
                for name, adapter in {"leitong": "leitong_package", **PYTHON_PEERS}.items()}
    missing = _attempt_all([(PYTHON_PEERS, _venv), (["leitong"], install)])
    return {name: command for name, command in commands.items() if name not in missing}, missing


def prepare_segmenters():
    """The same for programs that cut texts into words (INPUT REPEATS follow)."""
    commands = {"jieba (Python)": [TEXT_VENV / "bin" / "python", PEERS / "jieba_cut.py"], "jieba-rs": [JIEBA_RS]}
    missing = _attempt_all([(["jieba (Python)"], lambda: _venv(TEXT_VENV, "text-requirements.txt")),
                            (["jieba-rs"], lambda: _rust(JIEBA_RS))])
    return {name: command for name, command in commands.items() if name not in missing}, missing
