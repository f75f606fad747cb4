"""Rubrics in the gradebook's database: four tables beside nbgrader's own, which stay as they are.

A rubric is known by the names of its cell, and a mark by the id of nbgrader's grade. None of nbgrader's rows is referred to by a
foreign key, so nbgrader can delete its own as before. What belongs to a deleted one goes when its question is next written.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Connection, Float, ForeignKey, Integer, MetaData, String, Table, Text, UniqueConstraint, inspect

_OWN = MetaData()

RUBRIC = Table(
    "nbjudge_rubric",
    _OWN,
    Column("id", String(32), primary_key=True),
    Column("assignment", String(128), nullable=False),
    Column("notebook", String(128), nullable=False),
    Column("cell", String(128), nullable=False),
    Column("from_most", Boolean, nullable=False),  # whether an answer begins with all points, of which items take off
    Column("changes", Integer, nullable=False),  # counts up in each transaction that writes: the row is the lock
    UniqueConstraint("assignment", "notebook", "cell"),
)
ITEM = Table(
    "nbjudge_rubric_item",
    _OWN,
    Column("id", String(32), primary_key=True),
    Column("rubric_id", String(32), ForeignKey(RUBRIC.c.id), nullable=False),
    Column("place", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("points", Float, nullable=False),
    Column("is_deleted", Boolean, nullable=False),  # who had it is kept, so that it can come back
)
MARK = Table(  # an answer that was graded by its rubric
    "nbjudge_rubric_mark",
    _OWN,
    Column("grade_id", String(32), primary_key=True),
    Column("rubric_id", String(32), ForeignKey(RUBRIC.c.id), nullable=False, index=True),
    Column("adjustment", Float, nullable=False),
    Column("score", Float, nullable=False),  # what was written as nbgrader's `manual_score`
    Column("said", Text, nullable=False),  # what of nbgrader's `manual_comment` tells the items
    Column("answer", String(64), nullable=False),  # of which text it was the grade, as a digest
)
USE = Table(
    "nbjudge_rubric_use",
    _OWN,
    Column("grade_id", String(32), ForeignKey(MARK.c.grade_id), primary_key=True),
    Column("item_id", String(32), ForeignKey(ITEM.c.id), primary_key=True),
)


def create(connection: Connection) -> None:
    """Make those that are not there."""
    _OWN.create_all(connection)


def tables_in(connection: Connection) -> list[Table]:
    """Those that are there, each after the ones it refers to."""
    there = set(inspect(connection).get_table_names())
    return [table for table in _OWN.sorted_tables if table.name in there]
