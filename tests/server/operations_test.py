#!/usr/bin/env python3
"""usage: operations_test.py LEITONG

What an operator gets in addition to the program: the unit of systemd, rules and dashboard for the metrics, the configuration's pages; and what happens when the
server dies, its disk is full, or time goes by. LEITONG_KILLS and LEITONG_SOAK_SECONDS set other lengths."""
import glob
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import running
from running import Server, Texts

ROOT = running.Path(__file__).resolve().parents[2]
SERVICE = ROOT / "packaging/service"
sys.path.insert(0, str(ROOT / "scripts/hbase"))
import server as hbase  # noqa: E402


class Files(unittest.TestCase):
    def test_the_unit_is_one_and_keeps_the_server_in(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is missing, so the unit has NOT been checked")
        with tempfile.TemporaryDirectory() as place:
            unit = running.Path(place) / "leitong.service"
            unit.write_text((SERVICE / "leitong.service").read_text().replace("/usr/bin/leitong", running.LEITONG).replace("man:leitong(1)", "https://example.org"))
            checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
            about_us = [line for line in checked.stderr.splitlines() if "leitong.service" in line]
            self.assertEqual(about_us, [])
            rated = subprocess.run(["systemd-analyze", "security", "--offline=true", unit], capture_output=True, text=True).stdout
            self.assertLess(float(re.search(r"Overall exposure level for leitong.service: ([\d.]+)", rated)[1]), 2.0, rated)

    def test_rules_and_dashboard_name_metrics_that_are_there(self):
        with Server(running.folder(self) / "data") as server:
            server.post("/v1/indexes/default/check", {"text": "x"})
            offered = set(re.findall(r"^(\w+)", server.get("/metrics").body.decode(), re.MULTILINE))
            operations = {operation["operationId"] for path in server.get("/openapi.json").json["paths"].values() for operation in path.values()}
        for name in ("alerts.yml", "dashboard.json"):
            text = (SERVICE / name).read_text()
            named = set(re.findall(r"\b(?:leitong|process)_\w+", text))
            self.assertGreater(len(named), 3)
            self.assertEqual(named - offered, set(), name)
            for wanted in re.findall(r'operation=~\\?"([\w|]+)', text):
                self.assertEqual(set(wanted.split("|")) - operations, set())
        self.assertEqual(len(json.loads((SERVICE / "dashboard.json").read_text())["panels"]), 10)
        shown = subprocess.run(["promtool", "check", "rules", SERVICE / "alerts.yml"], capture_output=True, text=True) if shutil.which("promtool") else None
        self.assertTrue(shown is None or shown.returncode == 0, shown)


class Redis:
    """A server of its own, which keeps what it acknowledged."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        folder.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.place = f"redis://127.0.0.1:{self.port}/seen"

    def start(self):
        self.process = subprocess.Popen(["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self.folder, "--save", "", "--appendonly",
                                         "yes", "--appendfsync", "always"], stdout=subprocess.DEVNULL)

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@unittest.skipIf(shutil.which("redis-server") is None, "redis-server is missing (scripts/install-packages --servers), so the service has NOT been tried on Redis")
class OnRedis(unittest.TestCase):
    def setUp(self):
        self.place = running.folder(self)
        self.redis = Redis(self.place / "redis")
        self.addCleanup(self.redis.kill)
        self.config = f'[homes]\nseen = "{self.redis.place}"\n'

    def wait_for(self, server, status, seconds=20):
        deadline = time.monotonic() + seconds
        while (answer := server.get("/readyz")).status != status:
            self.assertLess(time.monotonic(), deadline, answer)
            time.sleep(.05)
        return answer

    def test_an_index_is_shared_and_comes_back_with_its_server(self):
        texts = Texts(31)
        text, other = texts.text(), texts.text()
        # Redis comes a second after the service.
        threading.Timer(1, self.redis.start).start()
        with Server(self.place / "data", config=self.config) as server:
            self.assertEqual([each["name"] for each in server.get("/v1/indexes").json["indexes"]], ["seen"])
            ask = lambda operation, body: server.post(f"/v1/indexes/seen/{operation}", body)
            self.assertEqual(ask("check-and-add", {"id": "a", "text": text}).json["verdict"], "new")
            beside = subprocess.run([running.LEITONG, "check", "--add", "--index", self.redis.place, "-"], input=json.dumps({"id": "b", "text": text + "。"}) + "\n" +
                                    json.dumps({"id": "c", "text": other}) + "\n", capture_output=True, text=True, check=True)
            self.assertEqual([json.loads(line)["verdict"] for line in beside.stdout.splitlines()], ["near", "new"])
            near = ask("check?passages=true", {"text": other[:-3] + "好好好"}).json
            self.assertEqual((near["verdict"], near["match"]["id"], len(near["match"]["passages"])), ("near", "c", 1))
            self.assertEqual(server.get("/v1/indexes/seen").json["durability"], "server")
            self.assertEqual(ask("sources/begin", {"source": "s"}).status, 501)
            self.assertEqual(server.ask("PUT", "/v1/indexes/seen").status, 409)
            self.assertEqual(server.ask("DELETE", "/v1/indexes/seen").status, 409)

            self.redis.kill()
            for _ in range(3):
                begun = time.monotonic()
                refused = ask("check-and-add", {"id": "d", "text": texts.text()})
                self.assertEqual((refused.status, "Retry-After" in refused.fields), (503, True), refused)
                self.assertLess(time.monotonic() - begun, 5)
            self.assertIn("seen", self.wait_for(server, 503).json["detail"])
            self.assertEqual(server.get("/metrics").status, 200)
            self.redis.start()
            self.wait_for(server, 200)
            self.assertEqual(ask("check", {"text": text}).json["verdict"], "exact")
            self.assertEqual(ask("check-and-add", {"id": "d", "text": texts.text()}).json["verdict"], "new")

            # A deleted index is not made again without a message.
            subprocess.run(["redis-cli", "-p", str(self.redis.port), "FLUSHALL"], check=True, stdout=subprocess.DEVNULL)
            self.wait_for(server, 503)
            self.assertEqual(ask("check", {"text": text}).status, 503)
            subprocess.run([running.LEITONG, "index", "create", "--index", self.redis.place], check=True, capture_output=True)
            self.wait_for(server, 200)
            self.assertEqual(ask("check", {"text": text}).json["verdict"], "new")
        self.assertIn("is reached again", server.log)


class OnHBase(unittest.TestCase):
    def test_an_index_is_shared_and_comes_back_with_its_server(self):
        built = (running.Path(running.LEITONG).parent / "lib/leitong-hbase").exists()
        if why := hbase.missing() or ("" if built else "the component leitong-hbase is not built"):
            self.skipTest(f"{why}, so the service has NOT been tried on HBase")
        texts = Texts(32)
        text = texts.text()
        place = running.folder(self)
        with hbase.running(place, quick=True) as beneath:
            index = beneath.place("prints")
            subprocess.run([running.LEITONG, "index", "create", "--index", index, "--scheme", "simhash", "--param", "features=chars"],
                           check=True, capture_output=True)
            with Server(place / "data", config=f'[homes]\nprints = "{index}"\n') as server:
                ask = lambda operation, body: server.post(f"/v1/indexes/prints/{operation}", body)

                def wait_for(status, seconds=20):
                    deadline = time.monotonic() + seconds
                    while (answer := server.get("/readyz")).status != status:
                        self.assertLess(time.monotonic(), deadline, answer)
                        time.sleep(.05)

                self.assertEqual(ask("check-and-add", {"id": "a", "text": text}).json["verdict"], "new")
                beside = subprocess.run([running.LEITONG, "check", "--add", "--index", index, "-"],
                                        input=json.dumps({"id": "b", "text": text + "。"}) + "\n", capture_output=True, text=True, check=True)
                self.assertEqual(json.loads(beside.stdout)["verdict"], "near")
                self.assertEqual(ask("sources/begin", {"source": "s"}).status, 501)
                beneath.stop_thrift()
                refused = ask("check-and-add", {"id": "d", "text": texts.text()})
                self.assertEqual((refused.status, "Retry-After" in refused.fields), (503, True), refused)
                wait_for(503)
                beneath.start_thrift()
                wait_for(200)
                self.assertEqual(ask("check", {"text": text}).json["verdict"], "exact")


class Faults(unittest.TestCase):
    def test_what_was_acknowledged_survives_kills(self):
        """Four clients add; the server is killed at a random moment; everything that was answered is there afterwards."""
        kills = int(os.environ.get("LEITONG_KILLS", "6"))
        data = running.folder(self) / "data"
        random_moment = random.Random(4)
        acknowledged, lock = {}, threading.Lock()
        met_at_work = 0
        server = Server(data)
        copy, cursor = {}, ""

        def follow():
            nonlocal cursor
            more = True
            while more:
                told = server.get(f"/v1/indexes/default/changes?texts=true&since={cursor}").json
                copy.update((change["id"], change["text"]) for change in told["changes"])
                cursor, more = told["cursor"], told["more"]

        for round_ in range(kills):
            server.start()
            follow()
            stop = threading.Event()

            def add(client):
                texts, connection, number = Texts(1000 * round_ + client), server.connect(), 0
                while not stop.is_set():
                    records = [{"id": f"{round_}-{client}-{number}-{i}", "text": texts.text()} for i in range(1 + number % 7)]
                    number += 1
                    try:
                        answers = server.post("/v1/indexes/default/check-and-add", records, connection=connection)
                    except (OSError, running.http.client.HTTPException):
                        return
                    self.assertEqual(answers.status, 200)
                    with lock:
                        acknowledged.update((record["id"], record["text"]) for record, answer in zip(records, answers.json) if answer["verdict"] != "refused")

            clients = [threading.Thread(target=add, args=(client,)) for client in range(4)]
            before = len(acknowledged)
            for client in clients:
                client.start()
            time.sleep(random_moment.uniform(0.05, 0.6))
            server.kill()
            stop.set()
            for client in clients:
                client.join()
            met_at_work += len(acknowledged) > before
        self.assertGreater(met_at_work, kills // 2)
        with server:
            ids = list(acknowledged)
            for at in range(0, len(ids), 5000):
                got = server.post("/v1/indexes/default/get", [{"id": id_} for id_ in ids[at:at + 5000]]).json
                lost = [each["id"] for each in got if not each["found"] or each["text"] != acknowledged[each["id"]]]
                self.assertEqual(lost, [], f"of {len(ids)} acknowledged additions")
            follow()
            self.assertEqual([id_ for id_ in ids if copy.get(id_) != acknowledged[id_]], [], "a follower was not told of these")
            self.assertEqual(len(copy), server.get("/v1/indexes/default").json["figures"]["texts"])

    def test_a_full_disk_stops_additions_and_nothing_else(self):
        """A limit on the size of files acts like a full disk: there is room for a few texts, but not for many."""
        data = running.folder(self) / "data"
        with Server(data):
            pass
        server = Server(data, before=("bash", "-c", 'ulimit -f 500; exec "$@"', "bash"))
        with server:
            first = {"id": "first", "text": Texts(1).text()}
            self.assertEqual(server.post("/v1/indexes/default/add", first).json["verdict"], "new")
            for count, status in ((50, 200), (900, 503), (900, 503), (100, 200)):
                texts = Texts(100)
                answer = server.post("/v1/indexes/default/add", [{"id": f"0-{i}", "text": texts.text(1000)} for i in range(count)])
                self.assertEqual(answer.status, status)
                self.assertEqual("Retry-After" in answer.fields, status == 503)
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": first["text"]}).json["verdict"], "exact", "checks go on")
            self.assertEqual(server.get("/healthz").status, 200)
        with Server(data) as server:
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": first["text"]}).json["verdict"], "exact")
            texts = Texts(100)
            answers = server.post("/v1/indexes/default/add", [{"id": f"0-{i}", "text": texts.text(1000)} for i in range(150)]).json
            self.assertEqual([answer.get("known", False) for answer in answers], [True] * 100 + [False] * 50, "what was acknowledged is there, and no more")

    def test_memory_and_descriptors_stay_where_they_are(self):
        seconds = float(os.environ.get("LEITONG_SOAK_SECONDS", "8"))
        with Server(running.folder(self) / "data") as server:
            texts = [Texts(i).text(400) for i in range(200)]
            server.post("/v1/indexes/default/add", [{"id": str(i), "text": text} for i, text in enumerate(texts)])

            def work(until, seed):
                chosen, connection = random.Random(seed), server.connect()
                while time.monotonic() < until:
                    kind = chosen.random()
                    if kind < 0.1:
                        connection.close()
                        connection = server.connect()
                    if kind < 0.6:
                        server.post("/v1/indexes/default/check", {"text": chosen.choice(texts)}, connection=connection)
                    elif kind < 0.8:
                        server.post("/v1/indexes/default/check", [{"text": chosen.choice(texts)} for _ in range(50)], connection=connection)
                    elif kind < 0.9:
                        server.post("/v1/compare", {"a": chosen.choice(texts), "b": chosen.choice(texts)}, connection=connection)
                    else:
                        server.get("/metrics", connection=connection)

            def run(length):
                threads = [threading.Thread(target=work, args=(time.monotonic() + length, seed)) for seed in range(4)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()

            run(seconds / 2)
            memory, descriptors = server.resident(), server.descriptors()
            run(seconds / 2)
            self.assertLess(server.resident() - memory, 12 << 20)
            self.assertLessEqual(server.descriptors(), descriptors + 4)

    def test_a_clock_that_jumps_ends_texts_and_nothing_else(self):
        """Waits are measured by a clock that does not jump. Expiry depends on the calendar."""
        library = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
        if library is None:
            self.skipTest("libfaketime is missing (scripts/install-packages --servers), so jumps of the clock have NOT been tested")
        place = running.folder(self)
        offset = place / "offset"
        offset.write_text("+0")
        environment = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1"}
        texts, now = Texts(1), int(time.time())
        with Server(place / "data", config="[index]\nexpire_seconds = 1\n", environment=environment) as server:
            hour, week = {"id": "hour", "text": texts.text()}, {"id": "week", "text": texts.text()}
            for text, seconds in ((hour, 3600), (week, 7 * 86400)):
                server.post("/v1/indexes/default/add", {**text, "expires": now + seconds})
            connection = server.connect()

            def verdicts():
                began = time.monotonic()
                found = [answer["verdict"] for answer in server.post("/v1/indexes/default/check", [hour, week], connection=connection).json]
                self.assertLess(time.monotonic() - began, 5)
                return found

            for jump in ("-3d", "+1800", "-365d"):
                offset.write_text(jump)
                time.sleep(1.5)
                self.assertEqual(verdicts(), ["exact", "exact"], jump)
            offset.write_text("+1d")
            running.wait_until(lambda: verdicts() == ["new", "exact"], 30)
            offset.write_text("-1d")
            self.assertEqual(verdicts(), ["new", "exact"], "what has left does not come back")
            self.assertEqual(server.post("/v1/indexes/default/add", {"id": "next", "text": texts.text()}).json["verdict"], "new")


if __name__ == "__main__":
    running.main()
