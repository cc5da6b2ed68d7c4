#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands between the explorer and an engine: where the explorer asks for the demo, the engine is asked for the run in
FOLDER/config.json. All else passes as it is. Leaves the engine's process number in FOLDER/engine.pid."""
import json
import os
import struct
import subprocess
import sys


def head(major, value):
    if value < 24:
        return bytes([major << 5 | value])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if value < 1 << 8 * size:
            return bytes([major << 5 | code]) + value.to_bytes(size, "big")
    raise ValueError(value)


def cbor(value):
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if value is None:
        return b"\xf6"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(cbor(each) for each in value)
    return head(5, len(value)) + b"".join(cbor(key) + cbor(each) for key, each in value.items())


def request_id(body):
    """The whole number behind the key `id` of a request."""
    at = body.index(b"\x62id") + 3
    code = body[at] & 31
    if code < 24:
        return code
    return int.from_bytes(body[at + 1 : at + 1 + (1 << code - 24)], "big")


def main():
    engine, folder = sys.argv[1:]
    process = subprocess.Popen([engine, "serve"], stdin=subprocess.PIPE)
    with open(os.path.join(folder, "engine.pid.part"), "w", encoding="utf-8") as file:
        file.write(str(process.pid))
    os.rename(os.path.join(folder, "engine.pid.part"), os.path.join(folder, "engine.pid"))
    source = sys.stdin.buffer
    while len(length := source.read(4)) == 4:
        body = source.read(int.from_bytes(length, "little"))
        if b"\x68run.demo" in body:
            with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
                config = json.load(file)
            asked = {"jsonrpc": "2.0", "id": request_id(body), "method": "run.start", "params": {"config": config}}
            body = cbor(asked)
        process.stdin.write(len(body).to_bytes(4, "little") + body)
        process.stdin.flush()
    process.stdin.close()
    process.wait()


if __name__ == "__main__":
    main()
