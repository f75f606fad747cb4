"""Imports `jsonschema`, which nbformat needs, without what it checks addresses, times and colours by, where that is installed: no notebook has such,
and it takes a second to import."""

from __future__ import annotations

import importlib
import sys
from typing import Any

CHECKERS = ("rfc3987_syntax", "rfc3986_validator", "rfc3339_validator", "isoduration", "fqdn", "uri_template", "webcolors")
modules: dict[str, Any] = sys.modules
left_out = [name for name in CHECKERS if modules.setdefault(name, None) is None]  # as if they were not installed
importlib.import_module("jsonschema")
for name in left_out:
    del modules[name]  # a test cell may import them
