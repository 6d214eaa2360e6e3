"""An HBase on this machine alone, for benchmarks and tests in Python: a master with its region server in one process, and a
Thrift2 server in another. scripts/fetch-hbase has its jars."""
import contextlib
import ctypes
import json
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

JARS = Path(__file__).resolve().parent.parent.parent / ".deps" / "hbase"


def missing():
    """Why there can be none; empty if there can."""
    if shutil.which("java") is None:
        return "java is missing (scripts/install-packages --servers installs it)"
    return "" if (JARS / "digest").exists() else f"HBase is missing (scripts/fetch-hbase fetches it into {JARS})"


def free_ports(count):
    """Below those that the system gives to connections, which would take one before the server does."""
    sockets = {}
    while len(sockets) < count:
        one, port = socket.socket(), random.randrange(10_000, 32_000)
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            continue
        sockets[port] = one
    for one in sockets.values():
        one.close()
    return list(sockets)


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Server:
    """`quick`: starts sooner, and is slower then."""

    def __init__(self, folder, quick=False):
        self.folder, self.quick, self.processes = Path(folder), quick, {}
        zookeeper, master, region, self.port, self.info = free_ports(5)
        settings = {
            "hbase.cluster.distributed": "false", "hbase.rootdir": f"file://{folder}/data", "hbase.tmp.dir": f"{folder}/tmp",
            "hadoop.tmp.dir": f"{folder}/hadoop", "hbase.zookeeper.property.dataDir": f"{folder}/zk", "hbase.zookeeper.quorum": "127.0.0.1",
            "hbase.zookeeper.property.clientPort": zookeeper, "zookeeper.recovery.retry": 1,
            "hbase.unsafe.stream.capability.enforce": "false", "hbase.wal.provider": "filesystem",
            "hbase.localcluster.assign.random.ports": "false", "hbase.master.port": master, "hbase.regionserver.port": region,
            "hbase.master.hostname": "localhost", "hbase.unsafe.regionserver.hostname": "localhost",
            "hbase.master.ipc.address": "127.0.0.1", "hbase.regionserver.ipc.address": "127.0.0.1", "hbase.master.info.port": -1,
            "hbase.regionserver.info.port": self.info, "hbase.regionserver.info.bindAddress": "127.0.0.1",
            "hbase.regionserver.msginterval": 100, "hbase.master.wait.on.regionservers.mintostart": 1,
            "hbase.master.wait.on.regionservers.maxtostart": 1, "hbase.master.wait.on.regionservers.interval": 100,
            "hbase.thrift.info.port": -1, "hbase.regionserver.thrift.ipaddress": "127.0.0.1", "hbase.regionserver.thrift.port": self.port,
            "hbase.regionserver.thrift.compact": "true", "hbase.regionserver.thrift.framed": "false", "hbase.thrift.minWorkerThreads": 80}
        (self.folder / "conf").mkdir(parents=True)
        (self.folder / "conf" / "hbase-site.xml").write_text("<configuration>" + "".join(
            f"<property><name>{name}</name><value>{value}</value></property>\n" for name, value in settings.items()) + "</configuration>")
        (self.folder / "conf" / "log4j.properties").write_text(
            "log4j.rootLogger=INFO,A\nlog4j.appender.A=org.apache.log4j.ConsoleAppender\nlog4j.appender.A.target=System.err\n"
            "log4j.appender.A.layout=org.apache.log4j.PatternLayout\nlog4j.appender.A.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n\n")

    def _java(self, name, memory, java_class):
        opened = ["lang", "lang.reflect", "io", "nio", "util", "util.concurrent"]
        words = ["java", f"-Xmx{memory}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Djava.net.preferIPv4Stack=true"]
        words += ["-XX:TieredStopAtLevel=1"] if self.quick else []
        words += [word for part in opened for word in ("--add-opens", f"java.base/java.{part}=ALL-UNNAMED")]
        words += [word for part in ("sun.nio.ch", "jdk.internal.ref") for word in ("--add-opens", f"java.base/{part}=ALL-UNNAMED")]
        words += [word for part in ("jdk.internal.misc", "sun.net.dns", "sun.net.util") for word in ("--add-exports", f"java.base/{part}=ALL-UNNAMED")]
        with open(self.folder / f"{name}.log", "wb") as log:
            self.processes[name] = subprocess.Popen([*words, "-cp", f"{self.folder}/conf:{JARS}/lib/*", java_class, "start"],
                                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=end_with_parent)

    def _wait(self, name, condition, seconds):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or self.processes[name].poll() is not None:
                raise RuntimeError(f"HBase doesn't start:\n{(self.folder / f'{name}.log').read_text()[:4000]}")
            time.sleep(.1)

    def _accepts(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def start(self):
        self._java("master", "512m", "org.apache.hadoop.hbase.master.HMaster")
        self._wait("master", lambda: "Master has completed initialization" in (self.folder / "master.log").read_text(), 120)
        self.start_thrift()

    def start_thrift(self):
        self._java("thrift", "256m", "org.apache.hadoop.hbase.thrift2.ThriftServer")
        self._wait("thrift", self._accepts, 60)

    def stop_thrift(self):
        self.processes["thrift"].kill()
        self.processes["thrift"].wait()

    def kill(self):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def place(self, name):
        return f"hbase://127.0.0.1:{self.port}/{name}"

    def counters(self):
        """Of the region server; they are away for some seconds after a table was made."""
        for _ in range(200):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.info}/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Server") as answer:
                if beans := json.load(answer)["beans"]:
                    return beans[0]
            time.sleep(.1)
        raise RuntimeError("the region server tells no numbers")


@contextlib.contextmanager
def running(parent=None, quick=False):
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        server = Server(folder, quick)
        try:
            server.start()
            yield server
        finally:
            server.kill()
