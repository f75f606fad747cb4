"""What both sides have a copy of: solutions and tests that stock nbgrader pays in full. See `test_world.py`."""

from .instructors import Given, Solution

COUNT = Solution("def count(path):\n    with open(path) as file:\n        return len(file.readlines())")
SAVE = Solution("import json\ndef save(path, value):\n    with open(path, 'w') as file:\n        json.dump(value, file)")
BAG = Solution(
    "class Bag:\n    def __init__(self, items=None):\n        self.items = [] if items is None else items\n        self.info = {'n': [0]}\n"
    "    def add(self, x):\n        self.items.append(x)\n    def given(self):\n        return self.items\n"
    "    def copied(self):\n        return list(self.items)\n    def size(self):\n        return len(self.items)\n"
    "    def total(self):\n        return sum(self.items)"
)
NET = Solution(
    "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.layer = nn.Linear(1, 1)\n    def forward(self, x):\n        return self.layer(x)"
)
DRAW = Solution("def draw(rng):\n    return rng.normal()")
TRAIN = Solution(
    "import torch\ndef train(net, x, y):\n    steps = torch.optim.SGD(net.parameters(), lr=0.3)\n    for _ in range(100):\n"
    "        steps.zero_grad()\n        ((net(x) - y) ** 2).mean().backward()\n        steps.step()"
)
PERSON = Solution(
    "from dataclasses import dataclass, field\nfrom typing import ClassVar\n@dataclass\nclass Person:\n    name: str\n    age: int = 3\n"
    "    marks: list = field(default_factory=list)\n    count: ClassVar[int] = 0"
)

EXCHANGED = {
    "an object that a function uses": [
        Given("import re"),
        Solution("digits = re.compile('[0-9]+')\ndef numbers(text):\n    return digits.findall(text)"),
        "assert digits.match('12') and not digits.match('a') and digits.fullmatch('1') is not None\nassert numbers('1 22') == ['1', '22']",
    ],
    "a file that the test writes": [
        COUNT,
        "import os\nwith open('in.txt', 'w') as f:\n    f.write('a\\nb\\n')\nassert count('in.txt') == 2\n"
        "assert count(os.path.abspath('in.txt')) == 2\nos.remove('in.txt')\ntry:\n    count('in.txt')\n"
        "except FileNotFoundError:\n    pass\nelse:\n    raise AssertionError",
    ],
    "a file in a folder that the test makes": [
        COUNT,
        "from pathlib import Path\nPath('made').mkdir()\nplace = Path('made') / 'a.txt'\nplace.write_text('x')\nassert count(place) == 1\n"
        "place.unlink()\nPath('made').rmdir()",
    ],
    "a temporary file": [
        COUNT,
        "import os, tempfile\nwith tempfile.NamedTemporaryFile('w', suffix='.txt', delete=False) as f:\n    f.write('1\\n2\\n')\n"
        "assert count(f.name) == 2\nos.unlink(f.name)",
    ],
    "a file that the function writes": [
        SAVE,
        "import json, os\nsave('out.json', [1])\nassert json.load(open('out.json')) == [1]\nsave('out.json', [2])\n"
        "assert json.load(open('out.json')) == [2] and os.path.exists('out.json')",
        "import os\nos.remove('out.json')",
    ],
    "a file in a temporary folder": [
        SAVE,
        "import json, os, tempfile\nwith tempfile.TemporaryDirectory() as folder:\n    path = os.path.join(folder, 'x.json')\n"
        "    save(path, [3])\n    assert json.load(open(path)) == [3]",
    ],
    "a file that a solution cell writes": [
        Solution("with open('report.txt', 'w') as f:\n    f.write('best')"),
        "import os\nassert os.path.exists('report.txt') and open('report.txt').read() == 'best'\nos.remove('report.txt')",
    ],
    "a file that the function adds to": [
        Solution("def note(path, line):\n    with open(path, 'a') as f:\n        f.write(line)"),
        "import os\nopen('log.txt', 'w').write('a')\nnote('log.txt', 'b')\nassert open('log.txt').read() == 'ab'\nos.remove('log.txt')",
    ],
    "an object's list that the test changes": [
        BAG,
        "bag = Bag()\nbag.items.append(1)\nassert bag.size() == 1 and bag.items == [1]\nbag.info['n'].append(2)",
        "assert bag.info == {'n': [0, 2]}\nbag.items[0] = 5\nassert bag.total() == 5",
    ],
    "an object's list that the object changes": [BAG, "bag = Bag()\nitems = bag.items\nbag.add(4)\nassert items == [4] and items is bag.items"],
    "a list that a method gives away": [
        BAG,
        "bag = Bag()\nbag.given().append(1)\nassert bag.size() == 1\nbag.copied().append(1)\nassert bag.size() == 1",
    ],
    "a list that the object keeps": [BAG, "xs = [1]\nbag = Bag(xs)\nxs.append(2)\nassert bag.size() == 2"],
    "weights that the test sets": [
        NET,
        "import torch\nnet = Net()\nwith torch.no_grad():\n    net.layer.weight.fill_(2.0)\n    net.layer.bias.zero_()\n"
        "assert net(torch.ones(1, 1)).item() == 2\nfor p in net.parameters():\n    p.data.fill_(3.0)\nassert net(torch.ones(1, 1)).item() == 6\n"
        "for name, p in net.named_parameters():\n    p.data.zero_()\nassert net(torch.ones(1, 1)).item() == 0",
    ],
    "a generator of numpy's that the test passes": [
        DRAW,
        "import numpy as np\na, b = np.random.default_rng(9), np.random.default_rng(9)\nassert len({draw(a) for _ in range(20)}) == 20\n"
        "b.normal(size=20)\nassert a.normal() == b.normal()",
    ],
    "a generator of Python's that the test passes": [
        Solution("def roll(r, n):\n    return [r.randint(1, 6) for _ in range(n)]"),
        "import random\na, b = random.Random(3), random.Random(3)\nassert roll(a, 2000) + roll(a, 5) == [b.randint(1, 6) for _ in range(2005)]\n"
        "assert a.random() == b.random()",
    ],
    "a network that the test passes to be trained": [
        TRAIN,
        "import torch\nnet = torch.nn.Linear(1, 1)\nx = torch.linspace(-1, 1, 20).unsqueeze(1)\ntrain(net, x, 2 * x)\n"
        "assert abs(net.weight.item() - 2) < 0.1",
    ],
    "gradients of the notebook": [
        Solution("import torch\nw = torch.tensor([1.0, -2.0], requires_grad=True)\n(w ** 2).sum().backward()"),
        "import torch\nassert w.requires_grad and torch.allclose(w.grad, torch.tensor([2.0, -4.0]))",
    ],
    "the current figure": [
        Given("import matplotlib.pyplot as plt"),
        Solution("import matplotlib.pyplot as plt\ndef show(v):\n    plt.hist(v, bins=2)\n    plt.title('T')"),
        "plt.close('all')\nshow([1, 2, 3])\nassert [p.get_height() for p in plt.gca().patches] == [1, 2]\n"
        "assert plt.gca().get_title() == 'T' and len(plt.gcf().axes) == 1\nplt.close()\nassert plt.get_fignums() == []",
    ],
    "the fields of a data class": [
        PERSON,
        "import dataclasses\nassert dataclasses.is_dataclass(Person)\n"
        "assert [(f.name, f.default) for f in dataclasses.fields(Person)][1] == ('age', 3) and len(dataclasses.fields(Person('x'))) == 3\n"
        "assert dataclasses.asdict(Person('a')) == {'name': 'a', 'age': 3, 'marks': []}\n"
        "older = dataclasses.replace(Person('c'), age=9)\nassert (older.name, older.age) == ('c', 9)",
    ],
    "objects of the library": [
        Solution(
            "import re\nfrom functools import partial\nfrom pathlib import Path\npaths = [Path('a/b.log')]\ndouble = partial(pow, 2)\n"
            "def find(text):\n    return re.search('b+', text)"
        ),
        "import re\nfrom functools import partial\nfrom pathlib import Path\nassert all(isinstance(p, Path) for p in paths)\n"
        "assert isinstance(double, partial) and double(3) == 8\nassert isinstance(find('abb'), re.Match) and find('abb')[0] == 'bb'\n"
        "assert not isinstance(find('b'), (Path, str, tuple))",
    ],
    "an enumeration": [
        Solution("import enum\nclass Color(enum.Enum):\n    RED = 1\n    BLUE = 2"),
        "import enum\nassert issubclass(Color, enum.Enum) and isinstance(Color.RED, enum.Enum) and isinstance(Color.RED, Color)\n"
        "assert list(Color) == [Color.RED, Color.BLUE] and Color(1) is Color['RED'] and len(Color) == 2\n"
        "assert Color.RED.name == 'RED' and Color.RED != Color.BLUE and Color.BLUE in Color",
    ],
}
