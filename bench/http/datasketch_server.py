"""The peer of bench/service: datasketch's MinHashLSH behind FastAPI, as its users put it together. Prints its port."""
import asyncio
import socket

import uvicorn
from datasketch import MinHash, MinHashLSH
from fastapi import FastAPI, Request

app = FastAPI()
index, sketches = MinHashLSH(threshold=0.7, num_perm=128), {}
lock = asyncio.Lock()


@app.post("/v1/indexes/default/check-and-add")
async def check_and_add(request: Request):
    record = await request.json()
    text = record["text"]
    sketch = MinHash(num_perm=128)
    sketch.update_batch([text[i:i + 5].encode() for i in range(max(1, len(text) - 4))])
    async with lock:
        best = max(((sketch.jaccard(sketches[key]), key) for key in index.query(sketch)), default=(0, None))
        if record["id"] not in sketches:
            index.insert(record["id"], sketch)
            sketches[record["id"]] = sketch
    return {"id": record["id"], "verdict": "near" if best[0] >= 0.7 else "new", "match": best[1]}


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
