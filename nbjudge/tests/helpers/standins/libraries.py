"""What libraries make in a student's code, and types as values."""

from .sources import ACCOUNT

LIBRARIES = {
    "errors of libraries": (
        "import json, decimal\nimport numpy as np\ndef f(x): return json.loads(x)\ndef g(): return np.linalg.inv(np.zeros((2, 2)))",
        """
import json, pytest
import numpy as np
with pytest.raises(json.JSONDecodeError) as caught:
    f("{")
assert caught.value.pos == 1 and "Expecting" in str(caught.value)
try:
    g()
    assert False
except np.linalg.LinAlgError as error:
    assert "ingular" in str(error)
try:
    f("{")
    assert False
except ValueError: pass
""",
    ),
    "objects in containers and back": (
        ACCOUNT
        + """
def richest(accounts): return max(accounts, key=lambda a: a.balance)
def by_owner(accounts): return {a.owner: a for a in accounts}
def apply(f, x): return f(x)
""",
        """
accounts = [Account("a", 5), Account("b", 7)]
assert richest(accounts) is accounts[1] and richest(tuple(accounts)).owner == "b" and by_owner(accounts)["a"] is accounts[0]
assert apply(lambda a: a.balance * 2, accounts[0]) == 10 and apply(Account, "z").owner == "z" and apply(accounts[0].fee, 10) == 1
assert list(map(Account.empty, "xy"))[1].owner == "y" and apply(lambda a: a, accounts[0]) is accounts[0]
def highest(a): return max(accounts, key=lambda x: x.balance).owner + a
assert apply(highest, "!") == "b!"
""",
    ),
    "types as values": (
        "def kind(x): return type(x)\nMyError = ValueError\nAny = Exception\ndef f(): raise ValueError('v')\nnumber = float",
        """
assert kind(3) is int and kind("a") == str and kind([]) in (list, tuple) and kind(None) is type(None) and number is float
assert number("1.5") == 1.5
try:
    f()
    assert False
except MyError as error:
    assert "v" in str(error)
try:
    f()
except Any: pass
""",
    ),
    "a network of torch": (
        """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.first = nn.Linear(n, 2)
        self.layers = nn.Sequential(nn.ReLU(), nn.Linear(2, 1))
    def forward(self, x): return self.layers(self.first(x))
""",
        """
import torch
assert issubclass(Net, nn.Module) and isinstance(Net(3), nn.Module) and isinstance(Net(3), Net) and isinstance(Net(3).first, nn.Linear)
net = Net(3)
assert net.first.in_features == 3 and net(torch.ones(4, 3)).shape == (4, 1) and len(net.layers) == 2 and isinstance(net.layers[0], nn.ReLU)
assert [name for name, _ in net.named_parameters()][0] == "first.weight" and sum(p.numel() for p in net.parameters()) == 11
assert len(list(net.children())) == 2
assert "first" in repr(net) and not isinstance(net, nn.Linear) and Net.__bases__ == (nn.Module,) and bool(net) and net is not None
assert net.first is net.first
""",
    ),
    "numpy and the like": (
        """
import numpy as np, fractions, decimal, datetime, pathlib, random
rng = np.random.default_rng(3)
half = fractions.Fraction(1, 2)
def price(): return decimal.Decimal("1.10") * 3
def day(n): return datetime.date(2024, 1, 1) + datetime.timedelta(days=n)
def table(): return np.array([(1, "a")], dtype=[("n", int), ("s", "U1")])
def mixed(): return np.array([1, "x", None], dtype=object)
def file(): return pathlib.Path("a") / "b.txt"
def dot(a, b): return np.matrix(a) * np.matrix(b)
shuffle = random.shuffle
poly = np.poly1d([1, 2])
""",
        """
import numpy as np, fractions, decimal, datetime, pathlib
assert 0 <= rng.random() < 1 and half == 0.5 and half + half == 1 and isinstance(half, fractions.Fraction)
assert price() == decimal.Decimal("3.30")
assert day(31) == datetime.date(2024, 2, 1) and day(0).weekday() == 0 and table()["n"][0] == 1 and mixed().tolist() == [1, "x", None]
assert file() == pathlib.Path("a/b.txt") and file().name == "b.txt" and str(file()) == "a/b.txt" and not file().exists()
assert file().suffix == ".txt"
assert (dot([[1, 2]], [[3], [4]]) == 11).all() and poly(3) == 5 and list(poly.coef) == [1, 2]
""",
    ),
    "pandas": (
        """
import pandas as pd
df = pd.DataFrame({"k": list("aba"), "v": [1, 2, 3]})
def mean_by(frame): return frame.groupby("k")["v"].mean()
def clean(frame): return frame.dropna().reset_index(drop=True)
groups = df.groupby("k")
when = pd.Timestamp("2024-01-02")
""",
        """
import pandas as pd
assert isinstance(df, pd.DataFrame) and df.shape == (3, 2) and list(df.columns) == ["k", "v"] and df["v"].sum() == 6
assert df.v.dtype == "int64"
pd.testing.assert_series_equal(mean_by(df), pd.Series([2.0, 2.0], index=pd.Index(["a", "b"], name="k"), name="v"))
pd.testing.assert_frame_equal(clean(pd.DataFrame({"a": [1.0, None, 3.0]})), pd.DataFrame({"a": [1.0, 3.0]}))
assert groups.size()["a"] == 2 and groups.mean().loc["b", "v"] == 2 and len(groups) == 2 and groups.ngroups == 2
assert groups["v"].sum()["a"] == 4
assert when.year == 2024 and when + pd.Timedelta(days=1) == pd.Timestamp("2024-01-03") and df.equals(df.copy())
assert df.loc[df.v > 1, "k"].tolist() == ["b", "a"]
""",
    ),
}
