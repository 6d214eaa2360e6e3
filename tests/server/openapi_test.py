#!/usr/bin/env python3
"""usage: openapi_test.py LEITONG

/openapi.json says what the server does: every operation is there and no other, every example is sent and gets the documented answer, and every
answer follows its schema."""
import json
import re
import unittest

import running
from running import Server

ROOT = running.Path(__file__).resolve().parents[2]
# Members of answers that differ from one machine or index to the next.
VARIES = {"version", "kernels", "scheme", "segment_bytes", "memory_bytes", "store_bytes", "keys", "rank", "postings", "checks", "snapshot", "cursor"}
# Examples on which others depend come first.
ORDER = ["list_indexes", "make_index", "check_and_add", "check", "add", "get", "compare_stored", "explain", "search", "overview", "remove", "changes", "begin_source", "list_sources", "commit_source",
         "remove_source", "rollback_source"]
LAST = ["show_index", "erase_index"]


def body_examples(api):
    """The section of docs/service.md: a body for every operation that takes one, as the test below sends it."""
    lines = []
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                if "example" in content and (kind == "application/json" or "application/json" not in operation["requestBody"]["content"]):
                    body = content["example"] if isinstance(content["example"], str) else json.dumps(content["example"], ensure_ascii=False)
                    note = "" if kind == "application/json" else f"  ({kind})"
                    lines += [f"{method.upper()} {path}{note}", f"    {body}"]
                    break
    return "\n".join(lines)


class OpenApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import tempfile
        cls.made = tempfile.TemporaryDirectory(prefix="leitong-server-")
        place = running.Path(cls.made.name)
        (place / "small.idf").write_text("渡船 9.5\n清晨 7\n的 0.5\n乘客 6\n", encoding="utf-8")
        cls.server = Server(place / "data", config=f'[idf]\nsmall = "{place / "small.idf"}"\n')
        cls.server.start()
        cls.api = cls.server.get("/openapi.json").json

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.made.cleanup()

    def operations(self):
        return [(path, method, operation) for path, methods in self.api["paths"].items() for method, operation in methods.items()]

    def test_it_names_every_operation_of_the_server(self):
        source = (ROOT / "apps/server/api.cpp").read_text()
        names = {"get": "get", "post": "post", "put": "put", "erase": "delete"}
        offered = {(path, names[method], operation) for method, path, operation in re.findall(r'Route\{Method::(\w+), "([^"]+)", "(\w+)"', re.sub(r"\s+", " ", source))}
        self.assertGreater(len(offered), 20)
        self.assertEqual({(path, method, operation["operationId"]) for path, method, operation in self.operations()}, offered)

    def resolved(self, schema):
        while "$ref" in schema:
            part = self.api
            for name in schema["$ref"][2:].split("/"):
                part = part[name]
            schema = part
        return schema

    def follows(self, value, schema):
        """True if a value follows a schema. Implements as much of JSON Schema as this document needs."""
        schema = self.resolved(schema)
        if "oneOf" in schema:
            return any(self.follows(value, each) for each in schema["oneOf"])
        if "enum" in schema:
            return value in schema["enum"]
        kind = schema.get("type")
        if kind == "object":
            properties = schema.get("properties", {})
            return (isinstance(value, dict) and all(name in value for name in schema.get("required", []))
                    and all(self.follows(each, properties[name]) for name, each in value.items() if name in properties)
                    and (not properties or all(name in properties for name in value)))
        if kind == "array":
            return isinstance(value, list) and all(self.follows(each, schema["items"]) for each in value)
        types = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
        return isinstance(value, types[kind]) and not (kind in ("integer", "number") and isinstance(value, bool))

    def same(self, got, shown):
        """True if both are equal except for members that vary."""
        if isinstance(shown, dict) and isinstance(got, dict):
            return got.keys() == shown.keys() and all(name in VARIES or self.same(got[name], shown[name]) for name in shown)
        if isinstance(shown, list) and isinstance(got, list):
            return len(got) == len(shown) and all(map(self.same, got, shown))
        return got == shown

    def test_every_example_is_answered_as_it_says(self):
        exercised = set()
        rank = lambda operation: ORDER.index(operation) if operation in ORDER else 100 + (operation in LAST and 1 + LAST.index(operation))
        for path, method, operation in sorted(self.operations(), key=lambda each: rank(each[2]["operationId"])):
            name = operation["operationId"]
            taken = operation.get("requestBody", {}).get("content", {})
            kind = "application/json" if "application/json" in taken else "text/html"
            content = taken.get(kind, {})
            body = content.get("example")
            self.assertEqual("requestBody" in operation, body is not None, f"{name} has no example")
            if body is not None:
                self.assertTrue(self.follows(body, content["schema"]), name)
            index = "archive" if path == "/v1/indexes/{index}" else "default"
            if name == "rollback_source":
                self.server.post("/v1/indexes/default/sources/begin", body)
            if kind == "text/html" and body is not None:
                answer = self.server.ask(method.upper(), path, body.encode(), fields={"Content-Type": kind})
            else:
                answer = self.server.ask(method.upper(), path.replace("{index}", index), body)
            self.assertLess(answer.status, 300, f"{name}: {answer}")
            described = operation["responses"][str(answer.status)]
            exercised.add(name)
            if answer.status == 204:
                continue
            kind = answer.fields["Content-Type"].split(";")[0]
            self.assertIn(kind, described["content"], name)
            if kind == "application/json":
                self.assertTrue(self.follows(answer.json, described["content"][kind]["schema"]), f"{name}: {answer.json}")
                if "example" in described["content"][kind]:
                    shown = described["content"][kind]["example"]
                    self.assertTrue(self.same(answer.json, shown), f"{name}: the example is {shown}, the answer {answer.json}")
                else:
                    self.assertEqual(name, "openapi", "every answer in JSON has an example")
        self.assertEqual(len(exercised), len(self.operations()))

    def test_docs_have_a_body_for_every_operation(self):
        docs = (ROOT / "docs/service.md").read_text(encoding="utf-8")
        shown = docs.split("### What is the body of each operation?", 1)[1].split("```", 2)[1].removeprefix("text\n").rstrip("\n")
        self.assertEqual(shown, body_examples(self.api))
        operations = [path for path, _, operation in self.operations() if "requestBody" in operation]
        self.assertEqual(shown.count("\n    "), len(operations))

    def test_every_refusal_is_described(self):
        for path, method, operation in self.operations():
            self.assertIn("421", operation["responses"], path)
            evil = self.server.ask(method.upper(), path.replace("{index}", "default"), {} if "requestBody" in operation else None, fields={"Host": "evil.example"})
            self.assertEqual(evil.status, 421)
            self.assertTrue(self.follows(evil.json, self.resolved(operation["responses"]["421"])["content"]["application/problem+json"]["schema"]))

    def test_references_lead_somewhere(self):
        for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(self.api)):
            self.resolved({"$ref": reference})


if __name__ == "__main__":
    running.main()
