"""A value on the wire and back."""

import json

from nbjudge._wire.codec import Decoder, Encoder
from nbjudge._wire.errors import Refused


def refuse(value, buffers):
    raise Refused(f"it is a {type(value).__name__}")


def encode(value, most=10**7):
    encoder = Encoder(refuse, most)
    return encoder.finish({"value": encoder.encode(value)})


def travel(value, most=10**7):
    decoder = Decoder(encode(value, most), {})
    return decoder.decode(decoder.document()["value"])


def read(node, *buffers):
    return Decoder([json.dumps({"value": node}).encode(), *buffers], {}).decode(node)
