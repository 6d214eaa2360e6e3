#!/usr/bin/env python3
"""usage: operations_test.py LEITONG

What an operator gets beside the program: the unit of systemd, rules and dashboard for the metrics, the configuration's pages; and what happens when the
server dies, its disk is full, or time goes by. LEITONG_KILLS and LEITONG_SOAK_SECONDS set other lengths."""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import running
from running import Server, Texts

ROOT = running.Path(__file__).resolve().parents[2]
SERVICE = ROOT / "packaging/service"


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


class Faults(unittest.TestCase):
    def test_what_was_acknowledged_survives_kills(self):
        """Four clients add; the server is killed at a random moment; whatever was answered is there afterwards."""
        kills = int(os.environ.get("LEITONG_KILLS", "6"))
        data = running.folder(self) / "data"
        random_moment = random.Random(4)
        acknowledged, lock = {}, threading.Lock()
        met_at_work = 0
        server = Server(data)
        for round_ in range(kills):
            server.start()
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

    def test_a_full_disk_stops_additions_and_nothing_else(self):
        """A limit on the size of files is met as a full disk is."""
        data = running.folder(self) / "data"
        with Server(data):
            pass
        server = Server(data, before=("bash", "-c", 'ulimit -f 2000; exec "$@"', "bash"))
        with server:
            first = {"id": "first", "text": Texts(1).text()}
            self.assertEqual(server.post("/v1/indexes/default/add", first).json["verdict"], "new")
            status, sent = 200, 0
            while status == 200 and sent < 400:
                texts = Texts(100 + sent)
                answer = server.post("/v1/indexes/default/add", [{"id": f"{sent}-{i}", "text": texts.text(1000)} for i in range(50)])
                status, sent = answer.status, sent + 1
            self.assertEqual(status, 503, "the disk was never full")
            self.assertIn("Retry-After", answer.fields)
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": first["text"]}).json["verdict"], "exact", "checks go on")
            self.assertEqual(server.get("/healthz").status, 200)
        with Server(data) as server:
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": first["text"]}).json["verdict"], "exact")
            texts = Texts(100)
            answers = server.post("/v1/indexes/default/add", [{"id": f"0-{i}", "text": texts.text(1000)} for i in range(50)]).json
            self.assertTrue(all(answer["known"] for answer in answers), "what was acknowledged is there")

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


if __name__ == "__main__":
    running.main()
