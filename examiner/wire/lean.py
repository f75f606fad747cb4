"""Imported first, leaves out what takes long to import and nothing here needs: a grammar by which jsonschema would check addresses (0.8 s)."""

import sys
from typing import Any

LEFT_OUT = "rfc3987_syntax"
modules: dict[str, Any] = sys.modules
modules.setdefault(LEFT_OUT, None)  # as if it were not installed
