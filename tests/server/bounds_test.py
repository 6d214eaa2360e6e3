#!/usr/bin/env python3
"""usage: bounds_test.py LEITONG

The bounds of what a server accepts, and that it ends: another server in its folder, files that requests name, memory of bodies and answers, indexes
and sources, threads and memory that can't be had, requests that last while it is told to stop."""
import gzip
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

import running
from running import Server, Texts, status_of


def disk_bytes(folder):
    return sum(os.lstat(os.path.join(at, name)).st_blocks * 512 for at, _, names in os.walk(folder) for name in names)


class DataFolder(unittest.TestCase):
    def setUp(self):
        self.place = running.folder(self)
        self.data = self.place / "data"

    def refused(self):
        return subprocess.run([running.LEITONG, "serve", "--data", self.data, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=60)

    def test_one_server_at_a_time_has_it(self):
        """Others start again and again while indexes are made in it; every index that was acknowledged can be opened afterwards."""
        made = []
        server = Server(self.data)
        with server:
            over = threading.Event()

            def make():
                texts = Texts(2)
                for number in range(30):
                    self.assertEqual(server.ask("PUT", f"/v1/indexes/m{number}").status, 201)
                    self.assertEqual(server.post(f"/v1/indexes/m{number}/check-and-add", {"id": "a", "text": texts.text()}).json["verdict"], "new")
                    made.append(f"m{number}")
                over.set()

            maker = threading.Thread(target=make)
            maker.start()
            tries = 0
            while not over.is_set() or tries == 0:
                second = self.refused()
                tries += 1
                self.assertEqual(second.returncode, 5, second.stderr)
                self.assertIn("another server", second.stderr)
                self.assertIn(str(server.process.pid), second.stderr)
            maker.join()
            server.kill()  # the system releases the lock
        with Server(self.data) as server:
            self.assertEqual(len(made), 30)
            for name in made:
                self.assertEqual(server.get(f"/v1/indexes/{name}").json["figures"]["texts"], 1, name)

    def test_texts_are_the_servers_alone(self):
        self.data.mkdir(mode=0o755)
        with Server(self.data) as server:
            server.post("/v1/indexes/default/add", {"id": "a", "text": "secret"})
            server.post("/v1/indexes/default/snapshot", None)
            others = [os.path.join(at, name) for at, folders, files in os.walk(self.data) for name in folders + files
                      if os.lstat(os.path.join(at, name)).st_mode & 0o077]
            self.assertEqual(others, [])

    def test_it_is_not_ready_when_its_folder_is_gone(self):
        with Server(self.data) as server:
            os.rename(self.data, self.place / "moved")
            self.assertEqual(server.get("/readyz").status, 503)
            os.rename(self.place / "moved", self.data)
            self.assertEqual(server.get("/readyz").status, 200)

    def test_a_deleted_index_leaves_no_texts_behind_links(self):
        elsewhere = self.place / "elsewhere"
        with Server(self.data) as server:
            server.ask("PUT", "/v1/indexes/linked")
            server.post("/v1/indexes/linked/add", {"id": "a", "text": "secret"})
        shutil.move(self.data / "linked", elsewhere)
        (self.data / "linked").symlink_to(elsewhere)
        with Server(self.data) as server:
            self.assertEqual(server.post("/v1/indexes/linked/get", {"id": "a"}).json["text"], "secret")
            self.assertEqual(server.ask("DELETE", "/v1/indexes/linked").status, 204)
            self.assertEqual((elsewhere.exists(), os.path.lexists(self.data / "linked")), (False, False))
            self.assertEqual(server.ask("PUT", "/v1/indexes/linked").status, 201)


class Making(unittest.TestCase):
    def setUp(self):
        self.place = running.folder(self)
        self.data = self.place / "data"

    def test_a_failure_leaves_nothing_and_the_name_is_free(self):
        with Server(self.data) as server:
            for wrong in ({"scheme": "nope"}, {"scheme": "simhash", "params": ["distance=900"]}, {"params": ["distance=3"]}):
                self.assertEqual(server.ask("PUT", "/v1/indexes/again", wrong).status, 400, wrong)
                self.assertFalse((self.data / "again").exists())
                self.assertEqual(server.get("/v1/indexes/again").status, 404)
            self.assertEqual(server.ask("PUT", "/v1/indexes/again", {"scheme": "simhash", "params": ["distance=3"]}).status, 201)

    def test_what_a_server_that_died_left_unfinished_frees_its_name(self):
        with Server(self.data) as server:
            (self.data / "left/index").mkdir(parents=True)
            (self.data / "left/unfinished").touch()
            self.assertEqual(server.ask("PUT", "/v1/indexes/left").status, 201)
            (self.data / "foreign").mkdir()
            self.assertEqual(server.ask("PUT", "/v1/indexes/foreign").status, 409)

    def test_few_descriptors_cost_the_indexes_that_have_none(self):
        server = Server(self.data, before=("bash", "-c", 'ulimit -n 150; exec "$@"', "bash"))
        with server:
            statuses = [server.ask("PUT", f"/v1/indexes/m{number}").status for number in range(15)]
            self.assertIn(503, statuses)
            made = [number for number, status in enumerate(statuses) if status == 201]
            self.assertGreater(len(made), 2)
            there = sorted(each.name for each in self.data.iterdir() if not each.name.startswith("."))
            self.assertEqual(there, sorted(["default"] + [f"m{number}" for number in made]), "what failed left nothing")
            for number in made[:3]:
                self.assertEqual(server.ask("DELETE", f"/v1/indexes/m{number}").status, 204)
            self.assertEqual(server.ask("PUT", "/v1/indexes/m14").status, 201, "there is room again")

    def test_no_request_names_a_file(self):
        pipe = self.place / "pipe"
        os.mkfifo(pipe)
        with Server(self.data) as server:
            told = set()
            for file in ("/etc/shadow", "/etc/passwd", "/nowhere", "/etc", "/dev/zero", pipe):
                for parameter in ("synonyms", "model", "thesaurus"):
                    for scheme in ("simhash", "e-simhash"):
                        answer = server.ask("PUT", "/v1/indexes/files", {"scheme": scheme, "params": ["distance=3", f"{parameter}={file}"]}, connection=server.connect(5))
                        self.assertEqual(answer.status, 422, (file, parameter))
                        told.add((parameter, answer.json["detail"]))
                        self.assertEqual(server.post("/v1/sign", {"texts": ["a"], "method": scheme, "params": [f"{parameter}={file}"]}).status, 422)
            self.assertEqual(len(told), 3, "nothing is told of the file")
            self.assertEqual(server.ask("PUT", "/v1/indexes/files", {"scheme": "simhash", "params": ["distance=3"]}).status, 201)

    def test_files_of_the_configuration_are_regular_ones(self):
        pipe = self.place / "pipe"
        os.mkfifo(pipe)
        tokens = self.place / "tokens"
        tokens.write_text("admin " + "a" * 20 + " me\n")
        tokens.chmod(0o600)
        for config in (f'[server]\ntokens = "{pipe}"', f'[idf]\nsmall = "{pipe}"', f'[words]\nstop_words = "{pipe}"', '[idf]\nzero = "/dev/zero"'):
            file = self.place / "wrong.toml"
            file.write_text(config + "\n")
            checked = subprocess.run([running.LEITONG, "serve", "--config", file, "--check-config"], capture_output=True, text=True, timeout=20)
            self.assertIn("is not a regular file", checked.stderr, config)
        checked = subprocess.run([running.LEITONG, "serve", "--config", pipe, "--check-config"], capture_output=True, text=True, timeout=20)
        self.assertIn("is not a regular file", checked.stderr)
        with Server(self.data, config=f'[server]\ntokens = "{tokens}"\n', token="a" * 20) as server:
            tokens.unlink()
            os.mkfifo(tokens, 0o600)
            server.process.send_signal(signal.SIGHUP)
            running.wait_until(lambda: "not reloaded" in server.log, 20)
            self.assertEqual(server.get("/v1/indexes").status, 200, "it goes on with the tokens that it has")


class Memory(unittest.TestCase):
    LIMIT = 32 << 20

    def server(self, **limits):
        lines = "".join(f"{name} = {value}\n" for name, value in {"memory": '"32 MB"', **limits}.items())
        return Server(running.folder(self) / "data", config=f"[limits]\n{lines}")

    def at_once(self, server, count, ask):
        statuses, lock = [], threading.Lock()

        def one():
            try:
                status = ask(server).status
            except OSError:
                status = None
            with lock:
                statuses.append(status)

        threads = [threading.Thread(target=one) for _ in range(count)]
        highest = 0
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            highest = max(highest, server.resident())
            time.sleep(.02)
        return statuses, highest

    def test_answers_count(self):
        with self.server() as server:
            text = Texts(3).text(100_000)  # 300 KB
            server.post("/v1/indexes/default/add", {"id": "a", "text": text})
            before = server.resident()
            # 1.5 GB in all.
            large = server.post("/v1/indexes/default/get", [{"id": "a"}] * 5000)
            self.assertEqual(large.status, 413)
            self.assertIn("limits.memory", large.json["detail"])
            self.assertEqual(len(server.post("/v1/indexes/default/get", [{"id": "a"}] * 50).json), 50)
            statuses, highest = self.at_once(server, 12, lambda server: server.post("/v1/indexes/default/get", [{"id": "a"}] * 60))
            self.assertEqual(set(statuses) - {200, 503}, set(), statuses)
            self.assertIn(200, statuses)
            self.assertLess(highest - before, 4 * self.LIMIT)
            self.assertIn("leitong_request_bytes 0", server.get("/metrics").body.decode())

    def test_answers_that_nobody_reads_count_until_they_are_given_up(self):
        with self.server() as server:
            server.post("/v1/indexes/default/add", {"id": "a", "text": Texts(3).text(100_000)})
            body = json.dumps([{"id": "a"}] * 60).encode()
            request = (b"POST /v1/indexes/default/get HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)) + body
            waiting = []
            self.addCleanup(lambda: [each.close() for each in waiting])
            before = server.resident()
            for _ in range(10):
                connection = socket.socket()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", server.port))
                connection.sendall(request)
                waiting.append(connection)
            time.sleep(2)
            self.assertLess(server.resident() - before, 4 * self.LIMIT)
            self.assertEqual(server.get("/healthz").status, 200)

    def test_passages_and_matches_count(self):
        with self.server() as server:
            texts = Texts(4)
            part = texts.text(2000)
            server.post("/v1/indexes/default/add", [{"id": f"{i}" * 300, "text": texts.edited(part, 40)} for i in range(40)])
            before = server.resident()
            answer = server.post("/v1/indexes/default/check?passages=true&matches=32", [{"text": texts.edited(part, 40)} for _ in range(2000)])
            self.assertIn(answer.status, (200, 413))
            self.assertLess(server.resident() - before, 6 * self.LIMIT)
            few = [{"text": texts.edited(part, 40)} for _ in range(100)]
            self.assertEqual([each["verdict"] for each in server.post("/v1/indexes/default/check?passages=true", few).json], ["near"] * 100)

    def test_what_bodies_are_decompressed_to_counts(self):
        with self.server() as server:
            before = server.resident()
            bomb = gzip.compress(json.dumps([{"text": "x" * 1300}] * 9_000).encode())  # 12 MB; the working memory for a text is small
            self.assertLess(len(bomb), 100_000)
            ask = lambda server: server.post("/v1/indexes/default/check", bomb, fields={"Content-Encoding": "GZIP"})
            self.assertEqual(ask(server).status, 200)
            statuses, highest = self.at_once(server, 60, ask)
            self.assertEqual(set(statuses) - {200, 503}, set(), statuses)
            self.assertIn(503, statuses)
            self.assertLess(highest - before, 12 * self.LIMIT)

    def test_words_count(self):
        with self.server(memory='"8 MB"', body='"4 MB"') as server:
            before = server.resident()
            texts = {"texts": ["一二" * 600_000]}
            self.assertEqual(server.post("/v1/segment", texts).status, 413)
            self.assertLess(server.resident() - before, 512 << 20)

    def test_too_little_memory_costs_requests_and_not_the_server(self):
        """With a limit of the system on its memory: every answer is right, or says that there is no memory."""
        for limit in (900_000, 1_200_000, 1_500_000):
            server = Server(running.folder(self) / "data", before=("bash", "-c", f'ulimit -v {limit}; exec "$@"', "bash"))
            with server:
                body = json.dumps([{"id": f"t{i}", "text": Texts(i).text(2000)} for i in range(1600)], ensure_ascii=False).encode()
                self.assertGreater(len(body), 9 << 20)
                for _ in range(2):
                    statuses, _ = self.at_once(server, 6, lambda server: server.post("/v1/indexes/default/check-and-add", body))
                    self.assertEqual(set(statuses) - {200, 503, None}, set(), (limit, statuses))
                self.assertIsNone(server.process.poll(), f"{limit}: the server ended: {server.log[-1000:]}")
                self.assertEqual(server.get("/healthz").status, 200)
                self.assertIn(server.post("/v1/indexes/default/check", {"text": "渡船"}).status, (200, 503))
                self.assertEqual(server.stop(), 0, server.log[-1000:])


class Counts(unittest.TestCase):
    def test_indexes_and_open_sources_are_bounded(self):
        data = running.folder(self) / "data"
        with Server(data, config="[limits]\nindexes = 6\n") as server:
            self.assertEqual([server.ask("PUT", f"/v1/indexes/m{number}").status for number in range(3)], [201] * 3)
            begin = lambda number: server.post("/v1/indexes/m0/sources/begin", {"source": f"s{number}"})
            self.assertEqual([begin(number).status for number in range(4)], [200, 200, 503, 503])
            self.assertEqual(begin(0).json["begun"], False, "one that is open is")
            full = server.ask("PUT", "/v1/indexes/more")
            self.assertEqual((full.status, "limits.indexes" in full.json["detail"], "Retry-After" in full.fields), (503, True, True))
            self.assertFalse((data / "more").exists())
            server.post("/v1/indexes/m0/sources/rollback", {"source": "s0"})
            self.assertEqual(server.ask("PUT", "/v1/indexes/more").status, 201)

    def test_an_open_index_takes_the_disk_that_it_says(self):
        data = running.folder(self) / "data"
        with Server(data) as server:
            server.post("/v1/indexes/default/check-and-add", {"id": "a", "text": Texts(1).text()})
            said = server.get("/v1/indexes/default").json["figures"]["store_bytes"]
            self.assertLess(disk_bytes(data / "default"), 4 << 20)
            self.assertAlmostEqual(said, disk_bytes(data / "default/index/texts"), delta=64 << 10)


class Names(unittest.TestCase):
    def test_a_host_is_a_name_and_a_port(self):
        with Server(running.folder(self) / "data") as server:
            for host in ("localhost:evil.com", "127.0.0.1:80@evil", "[::1].evil.com:80", "localhost:", "localhost:80:80", "localhost:1234567", "[::1", ":80", "[]", "localhost:+80"):
                sent = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
                self.assertIn(status_of(server.raw(sent)), (400, 421) if host != "localhost:" else (200, 400), host)
            for host in ("localhost", "LOCALHOST:80", "127.0.0.1:65535", "[::1]:8380"):
                self.assertEqual(status_of(server.raw(f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())), 200, host)

    def test_an_address_that_is_none_is_said_to_be_none(self):
        ran = subprocess.run([running.LEITONG, "serve", "--data", running.folder(self) / "data", "--listen", "x:0"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertIn('"x" is not an address', ran.stderr)


class Ending(unittest.TestCase):
    """A request that takes long: two texts that share only short pieces are compared by every measure."""

    def busy(self, seconds, threads=1):
        server = Server(running.folder(self) / "data", config=f"[server]\nthreads = {threads}\n[limits]\ndrain_seconds = {seconds}\nbody = \"16 MB\"\n")
        server.start()
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        body = json.dumps({"texts": ["渡船清晨六点开" * 200_000] * 3, "count": 10}, ensure_ascii=False).encode()
        asked = [threading.Thread(target=self.ask, args=(server, body), daemon=True) for _ in range(36)]
        for each in asked:
            each.start()
        time.sleep(.5)
        return server

    @staticmethod
    def ask(server, body):
        try:
            server.post("/v1/keywords", body)
        except (OSError, running.http.client.HTTPException):
            pass

    def test_the_deadline_of_a_stop_holds_with_workers_that_are_busy(self):
        server = self.busy(1)
        self.assertNotIn("leitong_request_bytes 0", server.get("/metrics").body.decode(), "nothing lasts")
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        status = server.process.wait(30)
        self.assertLess(time.monotonic() - began, 4)
        self.assertEqual(status, 5)
        server._reader.join(10)
        self.assertIn("stopped while requests were at work", server.log)

    def test_who_is_told_twice_stops_at_once(self):
        server = self.busy(600)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(.3)
        self.assertIsNone(server.process.poll())
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(5)

    def test_a_server_without_threads_says_so(self):
        for limit in (200_000, 300_000, 400_000):
            data = running.folder(self) / "data"
            ran = subprocess.Popen(["bash", "-c", f'ulimit -v {limit}; exec "$@"', "bash", running.LEITONG, "serve", "--data", data, "--listen", "127.0.0.1:0"],
                                   stderr=subprocess.PIPE, text=True)
            try:
                time.sleep(2)
                if ran.poll() is None:
                    ran.send_signal(signal.SIGTERM)
                status = ran.wait(60)
            finally:
                ran.kill()
                said = ran.stderr.read()
                ran.stderr.close()
            self.assertIn(status, (0, 4, 5), f"{limit}: {said[-600:]}")
            if status != 0:
                self.assertTrue(said.strip(), limit)


if __name__ == "__main__":
    running.main()
