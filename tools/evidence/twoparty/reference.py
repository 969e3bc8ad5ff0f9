"""Calls functions of a reference implementation: a line [name, arguments...] is answered by {"value": ...} or {"fault": ...}.

Bytes are hexadecimal. Other values that JSON does not have are kept in this program, and the answer refers to them by
number.
"""
import importlib
import json
import sys

sys.path[:0] = [sys.argv[1], sys.argv[1] + "/secp256k1lab/src"]
kept = []


def keep(v, **more):
    kept.append(v)
    return {"kept": len(kept) - 1, **more}


def decode(v):
    if isinstance(v, str):
        return bytes.fromhex(v)
    if isinstance(v, dict):
        return kept[v["kept"]]
    return [decode(x) for x in v] if isinstance(v, list) else v


def encode(v):
    if isinstance(v, bytes):
        return v.hex()
    if v is None or isinstance(v, (bool, int)):
        return v
    if hasattr(v, "_fields"):
        return keep(v, fields=[encode(x) for x in v])
    return [encode(x) for x in v] if isinstance(v, (list, tuple)) else keep(v)


for line in sys.stdin:
    name, *arguments = json.loads(line)
    module, name = name.rsplit(".", 1)
    try:
        answer = {"value": encode(getattr(importlib.import_module(module), name)(*map(decode, arguments)))}
    except Exception as e:
        blamed = getattr(e, "participant_id", getattr(e, "signer_index", None))
        answer = {"fault": {"text": repr(e), "blamed": blamed, "error": keep(e)}}
    print(json.dumps(answer), flush=True)
