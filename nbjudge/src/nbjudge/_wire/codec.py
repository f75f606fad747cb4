"""The encoder and the decoder of the wire, with all kinds of values that it carries. `coding` says how they are written."""

from collections.abc import Mapping
from typing import ClassVar

from nbjudge._wire import arrays, containers, scalars, tables
from nbjudge._wire.coding import DEEPEST, ITERATORS, READ_AT_ONCE, BaseDecoder, BaseEncoder, Reader, Writer, going_on

__all__ = ["DEEPEST", "ITERATORS", "READ_AT_ONCE", "Decoder", "Encoder", "going_on"]


class Encoder(BaseEncoder):
    """Writes one message; see `BaseEncoder`."""

    writers: ClassVar[tuple[Writer, ...]] = (arrays.encode, containers.encode, scalars.encode, tables.encode)


class Decoder(BaseDecoder):
    """Reads one message; see `BaseDecoder`."""

    readers: ClassVar[Mapping[str, Reader]] = {**scalars.READERS, **arrays.READERS, **containers.READERS, **tables.READERS}
