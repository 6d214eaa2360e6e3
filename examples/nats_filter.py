"""Passes on what has not been seen before: texts of one NATS subject, those that are new to another.

    nats_filter.py IN OUT [--nats nats://127.0.0.1:4222] [--leitong http://127.0.0.1:8380] [--index default]

Both subjects belong to streams (JetStream). A message is JSON with "id" and "text". It is acknowledged when the index holds its text and
OUT has it, if it is new; so a message that comes again, after a failure, is answered as the first time, and the stream of OUT
drops what it has (Nats-Msg-Id). What can't be read is named on standard error and taken out of the stream.
"""
import argparse
import asyncio
import json
import signal
import sys

import leitong
import nats
from nats.aio.msg import Msg
from nats.js import JetStreamContext

MOST = 100  # messages of one request


def read(message: Msg) -> dict[str, str]:
    """Its id and its text."""
    record = json.loads(message.data)
    if not isinstance(record, dict) or not isinstance(record.get("text"), str) or "id" not in record:
        raise ValueError('it is no object with "id" and "text"')
    return {"id": str(record["id"]), "text": record["text"]}


async def refuse(message: Msg, reason: object) -> None:
    print(f"message {message.metadata.sequence.stream} of {message.metadata.stream}: {reason}", file=sys.stderr)
    await message.term()


async def pass_on(messages: list[Msg], stream: JetStreamContext, out: str, client: leitong.AsyncClient) -> None:
    records, of = [], []
    for message in messages:
        try:
            records.append(read(message))
            of.append(message)
        except ValueError as error:
            await refuse(message, error)
    answers = await client.check_and_add([r["text"] for r in records], [r["id"] for r in records]) if records else []
    for message, record, answer in zip(of, records, answers, strict=True):
        if answer.verdict == "refused":
            await refuse(message, answer.reason)
            continue
        if answer.verdict == "new":
            await stream.publish(out, message.data, headers={"Nats-Msg-Id": record["id"]})
        await message.ack()


async def main() -> None:
    parser = argparse.ArgumentParser(description="Passes on texts that have not been seen before, from one NATS subject to another.")
    parser.add_argument("input", metavar="IN")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--nats", default="nats://127.0.0.1:4222", metavar="ADDRESS")
    parser.add_argument("--leitong", default="http://127.0.0.1:8380", metavar="ADDRESS")
    parser.add_argument("--index", default="default")
    given = parser.parse_args()
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    connection = await nats.connect(given.nats)
    async with leitong.AsyncClient(given.leitong, given.index) as client:
        stream = connection.jetstream()
        subscription = await stream.pull_subscribe(given.input, durable="leitong")
        while not ended.is_set():
            try:
                messages = await subscription.fetch(MOST, timeout=1)
            except TimeoutError:  # of nats or of asyncio: fetch() raises both
                continue
            await pass_on(messages, stream, given.out, client)
    await connection.close()


asyncio.run(main())
