#!/usr/bin/env python3
"""usage: replicate_test.py LEITONG

leitong index replicate: a copy of an index that others write, in a folder and on a service, through kills of all three.
LEITONG_KILLS sets another number of them."""
import json
import os
import random
import signal
import subprocess
import threading
import time
import unittest

import running
from running import Server, Texts

KILLS = int(os.environ.get("LEITONG_KILLS", 6))


def leitong(*arguments, **more):
    return subprocess.run([running.LEITONG, *map(str, arguments)], capture_output=True, text=True, timeout=60, **more)


def held(place):
    """The texts of an index in a folder, by id, in their order."""
    lines = leitong("index", "export", "--index", place).stdout.splitlines()
    return [(text["id"], text["text"], text.get("source"), text.get("time")) for text in map(json.loads, lines)]


def held_by(server, name="default"):
    page = server.get(f"/v1/indexes/{name}/changes?limit=10000&texts=true").json
    assert not page["more"]
    return [(text["id"], text["text"], text.get("source"), text.get("time")) for text in page["changes"]]


class Folders(unittest.TestCase):
    def setUp(self):
        self.place = running.folder(self)
        self.texts = Texts(1)
        self.seen, self.copy, self.cursor = (self.place / name for name in ("seen", "copy", "copy.cursor"))

    def add(self, ids, to=None):
        file = self.place / "texts.jsonl"
        file.write_text("".join(json.dumps({"id": one, "text": self.texts.text(), "source": "crawl"}) + "\n" for one in ids))
        self.assertEqual(leitong("add", file, "--source-field", "source", "--index", to or self.seen).returncode, 0)

    def replicate(self, *more, copy=None, cursor=None):
        return leitong("index", "replicate", "--from", self.seen, "--cursor", cursor or self.cursor, "--index", copy or self.copy, *more)

    def test_a_copy_has_the_same_texts_in_the_same_order_and_goes_on(self):
        self.add(["a", "b", "c"])
        self.assertIn("3 texts came, 0 left", self.replicate().stderr)
        self.assertEqual(held(self.copy), held(self.seen))
        self.add(["d", "b2"])
        leitong("index", "remove", "b", "--index", self.seen)
        self.assertIn("2 texts came, 1 left", self.replicate().stderr)
        self.assertEqual(held(self.copy), held(self.seen))
        self.assertIn("0 texts came, 0 left", self.replicate().stderr)

    def test_an_id_that_stands_for_another_text_meanwhile(self):
        self.add(["a", "b"])
        self.replicate()
        leitong("index", "remove", "a", "--index", self.seen)
        self.add(["a"])
        self.replicate()
        self.assertEqual(sorted(held(self.copy)), sorted(held(self.seen)))

    def test_without_the_cursor_the_copy_loses_what_it_has_beyond(self):
        self.add(["a", "b"])
        self.replicate()
        leitong("index", "remove", "a", "--index", self.seen)
        self.add(["stray"], to=self.copy)
        self.cursor.unlink()
        self.assertIn("1 text came, 2 left", self.replicate().stderr)
        self.assertEqual(held(self.copy), held(self.seen))

    def test_a_cursor_of_another_copy_or_of_a_lost_index_is_refused(self):
        self.add(["a"])
        self.replicate()
        other = self.replicate(copy=self.place / "other")
        self.assertEqual(other.returncode, 2, other.stderr)
        self.assertIn("each copy has a file of its own", other.stderr)
        subprocess.run(["rm", "-r", self.seen], check=True)
        self.add(["a"])
        lost = self.replicate()
        self.assertEqual(lost.returncode, 1)
        self.assertIn(f"without the file {self.cursor} all texts are read again", lost.stderr)

    def test_what_is_no_index(self):
        for place, said in (("https://127.0.0.1/v1/indexes/a", "only http"), ("http://127.0.0.1:1/a", "is no index of a service"),
                            ("http://127.0.0.1:1/v1/indexes/a", "refused"), (self.place / "none", "there is no index here")):
            done = leitong("index", "replicate", "--from", place, "--cursor", self.cursor, "--index", self.copy)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)


class Services(unittest.TestCase):
    def follow(self, source, copy, cursor, *more):
        return subprocess.Popen([running.LEITONG, "index", "replicate", "--follow", "--from", f"http://127.0.0.1:{source.port}/v1/indexes/default",
                                 "--cursor", str(cursor), "--index", f"http://127.0.0.1:{copy.port}/v1/indexes/default", *map(str, more)],
                                stderr=subprocess.PIPE, text=True)

    def test_tokens_decide_who_may_write_the_copy(self):
        place, text = running.folder(self), {"id": "a", "text": Texts(2).text()}
        for role in ("read", "write"):
            (place / role).write_text(role[0] * 40 + "\n")
        tokens = place / "tokens"
        tokens.write_text("".join(f"{role} {role[0] * 40} {role}er\n" for role in ("read", "write")))
        tokens.chmod(0o600)
        config = f'[server]\ntokens = "{tokens}"\n'
        with Server(place / "main", config=config, token="w" * 40) as main, Server(place / "copy", config=config, token="r" * 40) as copy:
            main.post("/v1/indexes/default/add", text)

            def replicate(role):
                return leitong("index", "replicate", "--from", f"http://127.0.0.1:{main.port}/v1/indexes/default", "--from-token", place / "read",
                               "--cursor", place / "cursor", "--token", place / role, "--index", f"http://127.0.0.1:{copy.port}/v1/indexes/default")

            self.assertIn("this token may not do this", replicate("read").stderr)
            done = replicate("write")
            self.assertEqual((done.returncode, held_by(copy)), (0, held_by(main)), done.stderr)
            self.assertEqual(copy.post("/v1/indexes/default/add", text).status, 403)

    def test_a_copy_that_answers_is_kept_up_to_date_through_kills_of_all_three(self):
        place, rnd, texts = running.folder(self), random.Random(3), Texts(3)
        cursor, stop = place / "cursor", threading.Event()
        main, copy = Server(place / "main"), Server(place / "copy")
        main.start()
        copy.start()
        ports = {main: main.port, copy: copy.port}

        def again(server):
            server.kill()
            server.arguments[server.arguments.index("--listen") + 1] = f"127.0.0.1:{ports[server]}"
            server.start()

        def write():
            number, there = 0, []
            while not stop.is_set():
                try:
                    batch = [{"id": f"t{number + i}", "text": texts.text(), "time": number} for i in range(20)]
                    if main.post("/v1/indexes/default/check-and-add", batch).status == 200:
                        number += 20
                        there += [one["id"] for one in batch]
                    if rnd.random() < .3:
                        gone = there.pop(rnd.randrange(len(there)))
                        main.post("/v1/indexes/default/remove", {"id": gone})
                        if rnd.random() < .5:  # the id stands for another text
                            main.post("/v1/indexes/default/add", {"id": gone, "text": texts.text()})
                except OSError:
                    time.sleep(.05)  # it was killed
                time.sleep(.02)

        writer = threading.Thread(target=write)
        writer.start()
        follower = self.follow(main, copy, cursor)
        try:
            for kill in range(KILLS):
                time.sleep(rnd.uniform(.3, 1))
                if kill % 3 == 0:
                    follower.send_signal(signal.SIGKILL)
                    follower.communicate()
                    follower = self.follow(main, copy, cursor)
                elif kill % 3 == 1:
                    again(main)
                else:
                    again(copy)
            stop.set()
            writer.join()
            deadline = time.monotonic() + 60
            while sorted(held_by(copy)) != sorted(held_by(main)):
                self.assertIsNone(follower.poll(), follower.stderr.read() if follower.poll() is not None else "")
                self.assertLess(time.monotonic(), deadline, "the copy doesn't become equal")
                time.sleep(.1)
            self.assertGreater(len(held_by(main)), 100)
        finally:
            stop.set()
            writer.join()
            follower.send_signal(signal.SIGTERM)
            follower.communicate()
            for server in ports:
                server.stop()


if __name__ == "__main__":
    running.main()
