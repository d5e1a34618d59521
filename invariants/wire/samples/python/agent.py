#!/usr/bin/env python3
"""A simple truncating agent behind BCP/1, to be copied: put your own bounding layer where bound() is.

It cuts the end off, says so in a marker, and keeps nothing elsewhere. Try it with

    boundcheck conform -- python3 agent.py
"""
import base64
import json
import sys

MARKER = "\n... [truncated]"


def bound(limits, output):
    """The bounding layer: what the history gets of one tool output."""
    text = all_text(output)
    budget = limits["threshold"]
    if len(text) > budget:
        text = text[: max(0, budget - len(MARKER))] + MARKER
    return {"text": text, "failed": output["status"] != "success"}


def all_text(part):
    """The text of an output, or of one of its parts."""
    pieces = [decode(part.get("text", ""))]
    pieces += [all_text(p) for p in part.get("parts", [])]
    pieces += [decode(m) for m in part.get("metadata", [])]
    return "".join(pieces)


def decode(text):
    """A text is a string, or base64 where it is not valid UTF-8."""
    if isinstance(text, dict):
        return base64.b64decode(text["b64"]).decode("utf-8", "replace")
    return text


def answer(request, limits):
    op = request["op"]
    if op == "hello":
        return {"hello": {"proto": "BCP/1", "name": "truncating agent", "language": "python", "caps": ["bound"]}}
    if op == "bound":
        return {"result": bound(limits, request["output"])}
    if op in ("reset", "bye"):
        return {}
    return {"error": {"kind": "unsupported", "definite": True, "text": op}}


def main():
    limits = {}
    for line in sys.stdin:
        request = json.loads(line)
        limits = request.get("limits", limits)  # they hold until others come
        reply = answer(request, limits)
        reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)  # one line an answer, at once
        if request["op"] == "bye":
            return


if __name__ == "__main__":
    main()
