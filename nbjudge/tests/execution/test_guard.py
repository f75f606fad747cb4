"""Nothing of a student's is run as code where the grader runs; what a test, a library and plain types need does run."""

import sqlite3
import sys
from pathlib import Path

import pytest

from nbjudge._execution.guard import texts_of

RUNS = {
    "a text of the test's own": ("def f(x): return x + 1", "assert eval('f(2)') == 3\nexec('y = f(4)')\nassert y == 5"),
    "a sum": ("def f(): return '(1 + 2) * -3'", "assert eval(f()) == -9"),
    "annotations as texts": (
        "from __future__ import annotations\ndef f(x: int, y: list[int] | None) -> 'str': return ''",
        "import typing\nassert typing.get_type_hints(f)['return'] is str",
    ),
    "what libraries make": (
        "def f(x): return x",
        "import collections, dataclasses, re\nP = collections.namedtuple('P', 'x y')\n@dataclasses.dataclass\n"
        "class D:\n    x: int\nassert f(P(1, 2).y) == 2 and D(3).x == f(3) and re.match('a+', f('aa'))",
    ),
    "a pickle of plain values": (
        "import pickle, numpy as np\ndef f(): return pickle.dumps({'a': [1, {2}], 'b': np.arange(3)})",
        "import pickle\nassert pickle.loads(f())['a'] == [1, {2}] and pickle.loads(f())['b'].sum() == 3",
    ),
    "a pickle of tables of numbers": (
        "import pickle, numpy as np\ndef f():\n    table = np.array([(1, 2.5)], [('a', 'i4'), ('b', 'f8')])\n"
        "    return pickle.dumps([table, np.arange(2, dtype='>i4'), np.array(['ab', 'c']), np.array(['2024'], 'M8[D]'),\n"
        "                         np.float32(2), np.array([1, 'x'], object)])",
        "import pickle, numpy as np\na, b, c, d, e, g = pickle.loads(f())\nassert a['b'][0] == 2.5 and b.tolist() == [0, 1] and c[0] == 'ab'\n"
        "assert str(d[0]) == '2024-01-01' and e == 2 and type(e) is np.float32 and g[1] == 'x'",
    ),
    "a tree": ("def f(x):\n    return x", "import ast, inspect\nassert isinstance(ast.parse(inspect.getsource(f)).body[0], ast.FunctionDef)"),
    "a literal": ("def f(): return '[1, {2: 3}]'", "import ast\nassert ast.literal_eval(f()) == [1, {2: 3}]"),
}
TYPE = (
    "import pickle\nimport numpy as np\nclass Lie:\n    def __reduce__(self):\n        return np.dtype, ('V8', False, True), {state}\n"
    "def f():\n    return pickle.dumps(Lie())"
)
STOPS = {
    "a name in a text": ("def f(): return 'expected'", "expected = 5\nassert eval(f()) == expected", "unjudged"),
    "a source": ("def f(x): return x", "import inspect\nexec(inspect.getsource(f))", "unjudged"),
    "a tree that is compiled": ("def f(x): return x", "import ast, inspect\ncompile(ast.parse(inspect.getsource(f)), 'x', 'exec')", "unjudged"),
    "a caught one": ("def f(): return 'a.b()'", "try:\n    eval(f())\nexcept BaseException:\n    pass", "unjudged"),
    "bytes of code": ("import marshal\ndef f(): return marshal.dumps(1)", "import marshal\nmarshal.loads(f())", "unjudged"),
    "a type of arrays, by another way to unpickle": (
        TYPE.format(state="(3, '|', None, None, None, 8, 1, 63)"),
        "import _pickle\nassert _pickle.loads(f()) is not None",
        "ended",
    ),
    "a pickle": (
        "import pickle\nclass A:\n    def __reduce__(self): return print, ('x',)\ndef f(): return pickle.dumps(A())",
        "import pickle\ntry:\n    pickle.loads(f())\nexcept BaseException: pass",
        "ended",
    ),
}


@pytest.mark.parametrize("answer, test", RUNS.values(), ids=RUNS)
def test_what_is_nobodys_code_runs(answer, test, verdict_on):
    verdict = verdict_on(answer, test)
    assert (verdict.kind, verdict.points, verdict.message) == ("passed", 2, "")


@pytest.mark.parametrize("answer, test, kind", STOPS.values(), ids=STOPS)
def test_a_text_of_the_students_does_not_run(answer, test, kind, verdict_on):
    verdict = verdict_on(answer, test)
    assert (verdict.kind, verdict.points) == (kind, 0), verdict
    assert "where the grader runs" in verdict.message


STARTED = {
    "a command of theirs": ("def f(): return 'touch /tmp/nbjudge-command-ran'", "import subprocess\nsubprocess.run(f(), shell=True)", "unjudged"),
    "by os.system": (
        "def f(): return 'touch /tmp/nbjudge-command-ran'",
        "import os\ntry:\n    os.system(f())\nexcept BaseException:\n    pass",
        "unjudged",
    ),
    "a word of a command": (
        'def f(): return \'open("/tmp/nbjudge-command-ran", "w")\'',
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', f()])",
        "unjudged",
    ),
    "by os.popen": ("def f(): return 'touch /tmp/nbjudge-command-ran'", "import os\nassert os.popen(f()).read() == ''", "unjudged"),
    "a script that is theirs": (
        "open('run.sh', 'w').write('touch /tmp/nbjudge-command-ran')\ndef f(): return 1",
        "import os, subprocess\nassert os.path.exists('run.sh')\nsubprocess.run(['bash', 'run.sh'])",
        "unjudged",
    ),
    "the test's own": (
        "def f(): return '5'",
        "import subprocess, sys\nout = subprocess.run([sys.executable, '-c', 'print(5)'], capture_output=True,"
        " text=True).stdout\nassert out.strip() == f()\nassert subprocess.run('exit 3', shell=True).returncode == 3",
        "passed",
    ),
    "the test's own beside a file of theirs": (
        "open('plot.csv', 'w').write('1')\ndef f(): return 1",
        "import os, subprocess, sys\nassert os.path.exists('plot.csv')\nassert subprocess.run([sys.executable, '-c', 'print(5)']).returncode == 0",
        "passed",
    ),
    "a library's": ("def f(): return 1", "import platform, os\nassert f() == 1 and platform.processor() is not None", "passed"),
}


@pytest.mark.parametrize("answer, test, kind", STARTED.values(), ids=STARTED)
def test_no_program_starts_with_a_text_of_theirs(answer, test, kind, verdict_on):
    verdict = verdict_on(answer, test)
    assert verdict.kind == kind and not Path("/tmp/nbjudge-command-ran").exists(), verdict


CHANGED = {
    "removes": "import os\nos.remove(f())",
    "removes as a path": "from pathlib import Path\nPath(f()).unlink()",
    "writes": "with open(f(), 'w') as file:\n    file.write('x')",
    "writes as a path": "from pathlib import Path\nPath(f()).write_text('x')",
    "adds": "open(f(), 'a').write('x')",
    "renames": "import os\nos.rename(f(), 'y')",
    "moves": "import shutil\nshutil.move(f(), 'y')",
    "copies": "import shutil\nopen('x', 'w').close()\nshutil.copy('x', f())",
    "opens": "import sqlite3\nsqlite3.connect(f()).execute('select 1')",
    "removes all": "import os, shutil\nshutil.rmtree(os.path.dirname(f()))",
    "cuts": "import os\nos.truncate(f(), 0)",
    "by a link": "import os\nos.symlink(f(), 'x')\nopen('x', 'w').close()",
    "catches": "import os\ntry:\n    os.remove(f())\nexcept BaseException:\n    pass",
}


@pytest.mark.parametrize("test", CHANGED.values(), ids=CHANGED)
def test_a_path_of_theirs_leads_nowhere_else(test, verdict_on, tmp_path):
    place = tmp_path / "course" / "gradebook.db"
    place.parent.mkdir()
    place.write_text("points")
    verdict = verdict_on(f"def f(): return {str(place)!r}", f"import tempfile\n{test}")
    assert (verdict.kind, verdict.points) == ("ended", 0) and "where the grader runs" in verdict.message, verdict
    assert place.read_text() == "points"


def test_a_test_changes_its_own_files(verdict_on):
    test = (
        "import os, shutil, tempfile, sqlite3\nfrom pathlib import Path\nPath(f()).write_text('x')\nos.rename(f(), 'other.txt')\n"
        "os.makedirs('a/b')\nshutil.move('other.txt', 'a/b')\nshutil.rmtree('a')\nopen(os.devnull, 'w').close()\n"
        "with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile('w') as file:\n    file.write('x')\n"
        "    Path(folder, 'x').touch()\n    os.symlink(folder, 'link')\n    os.remove('link')\n"
        "    sqlite3.connect(os.path.join(folder, 'y.db')).close()\nsqlite3.connect('own.db').execute('create table t (x)')"
    )
    verdict = verdict_on("def f(): return 'mine.txt'", test)
    assert verdict.kind == "passed", verdict


OPENED = "import sqlite3\nbase = sqlite3.connect({base})\nbase.execute('create table t (x)')\nfor one in f():\n    base.execute(one)\nbase.commit()"
ATTACKS = (["attach '{place}' as g", "delete from g.grade"], ["vacuum into '{new}'"], ["attach 'file:{place}?mode=rwc' as g", "delete from g.grade"])


@pytest.mark.parametrize("statements", ATTACKS, ids=str)
@pytest.mark.parametrize("base", ["':memory:'", "'file:own?mode=memory', uri=True", "'own.db'"])
def test_sql_of_theirs_reaches_no_other_file(statements, base, verdict_on, tmp_path):
    place, new = tmp_path / "gradebook.db", tmp_path / "new.db"
    gradebook = sqlite3.connect(place)
    gradebook.execute("create table grade (x)")
    gradebook.execute("insert into grade values (5)")
    gradebook.commit()
    wanted = [statement.format(place=place, new=new) for statement in statements]
    verdict = verdict_on(f"def f(): return {wanted!r}", OPENED.format(base=base))
    assert verdict.points == 0 and "DatabaseError" in verdict.message, verdict
    assert gradebook.execute("select x from grade").fetchall() == [(5,)] and not new.exists()


def test_a_tests_own_databases_work(verdict_on):
    test = OPENED.format(base="':memory:'") + "\nassert base.execute('select * from t').fetchall() == [(1,)]\nbase.execute('vacuum')"
    own = "\nbase.execute(\"attach ':memory:' as m\")\nbase.execute(\"attach 'beside.db' as b\")\nbase.execute('create table b.c (x)')"
    verdict = verdict_on("def f(): return ['insert into t values (1)']", test + own)
    assert verdict.kind == "passed", verdict


LIES = {
    "reads elsewhere": "(3, '|', None, ('a',), {'a': (np.dtype('i8'), 10**6)}, 8, 1, 0)",
    "says that numbers are objects": "(3, '|', None, None, None, 8, 1, 63)",
    "is larger": "(3, '|', (np.dtype('i8'), (1000,)), None, None, 8, 1, 0)",
}


@pytest.mark.parametrize("state", LIES.values(), ids=LIES)
def test_a_type_of_arrays_in_a_pickle_is_what_numpy_makes(state, verdict_on):
    verdict = verdict_on(TYPE.replace("{state}", state), "import pickle, numpy as np\nassert np.zeros(1, pickle.loads(f())).tolist() is not None")
    assert (verdict.kind, verdict.points) == ("failed", 0) and ("UnpicklingError" in verdict.message or "ValueError" in verdict.message), verdict


YAML = (
    "'!!python/object/apply:os.system [touch /tmp/nbjudge-yaml-ran]'",
    "'!!python/object/apply:builtins.open [/tmp/nbjudge-yaml-ran, w]'",
    "'!!python/module:antigravity x'",
    "'!!python/name:os.system x'",
)


@pytest.mark.parametrize("text", YAML)
def test_a_text_in_yaml_makes_plain_values_only(text, verdict_on):
    verdict = verdict_on(f"def f(): return {text}", "import yaml\nassert yaml.load(f(), Loader=yaml.Loader) is not None")
    assert (verdict.kind, verdict.points) == ("failed", 0) and "ConstructorError" in verdict.message
    assert not Path("/tmp/nbjudge-yaml-ran").exists() and "antigravity" not in sys.modules
    assert verdict_on("def f(): return 'a: [1, 2]'", "import yaml\nassert yaml.unsafe_load(f()) == {'a': [1, 2]}").points == 2


def test_the_next_test_may_run_what_it_likes(verdict_on):
    assert verdict_on("def f(): return 'g()'", "eval(f())").kind == "unjudged"
    assert verdict_on("def f(): return 1", "assert f() == 1").points == 2
    assert eval("1 + len([2])") == 2


def test_texts_are_read_from_the_instructors_cells():
    assert texts_of(["x = 'one'\nf('two')", "%magic", "'''three'''"]) == {"one", "two", "three"}
