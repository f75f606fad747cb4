"""Set-up cells that only set something, names of tests that cells below use, and generators of random numbers: stock nbgrader pays the solution."""

from __future__ import annotations

from .instructors import SQUARE, Given, Solution, plain

THIRD = Solution("def third():\n    return np.array([1, 2]) / 3")
TORCH_THIRD = Solution("def third():\n    return torch.tensor([1.0, 2.0]) / 3")
NOISY = Solution("import numpy as np\ndef noisy(x):\n    return x + np.random.rand()")
NODE = "class Node:\n    def __init__(self, value):\n        self.value = value"

EFFECTS = {
    "print options of numpy": [plain("import numpy as np\nnp.set_printoptions(precision=3)"), THIRD, "assert str(third()) == '[0.333 0.667]'"],
    "print options in a function of set-up": [
        Given("import numpy as np\ndef set_up():\n    np.set_printoptions(precision=3)\nset_up()"),
        THIRD,
        "assert str(third()) == '[0.333 0.667]'",
    ],
    "print options of torch": [
        plain("import torch\ntorch.set_printoptions(precision=2)"),
        TORCH_THIRD,
        "assert str(third()) == 'tensor([0.33, 0.67])'",
    ],
    "a default type of torch": [
        plain("import torch\ntorch.set_default_dtype(torch.float64)"),
        TORCH_THIRD,
        "assert torch.equal(third(), torch.tensor([1.0, 2.0]) / 3)",
    ],
    "an option of pandas": [
        Given("import pandas as pd\npd.options.display.precision = 2"),
        Solution("def table():\n    return pd.DataFrame({'a': [1 / 3]})"),
        "assert str(table()) == '      a\\n0  0.33'",
    ],
    "a setting of matplotlib": [
        Given("import matplotlib.pyplot as plt\nplt.rcParams['lines.linewidth'] = 7"),
        Solution("def width():\n    return plt.rcParams['lines.linewidth']"),
        "assert width() == plt.rcParams['lines.linewidth'] == 7",
    ],
    "a variable of the environment": [
        Given("import os\nos.environ['COURSE_LEVEL'] = 'two'"),
        Solution("def level():\n    return os.environ['COURSE_LEVEL']"),
        "assert level() == os.environ['COURSE_LEVEL'] == 'two'",
    ],
    "digits of decimal": [
        Given("from decimal import Decimal, getcontext\ngetcontext().prec = 5"),
        Solution("def third():\n    return Decimal(1) / 3"),
        "assert third() == Decimal(1) / Decimal(3)",
    ],
    "how deep calls may be": [
        Given("import sys\nsys.setrecursionlimit(5000)"),
        Solution("def deep(n):\n    return 0 if n == 0 else 1 + deep(n - 1)"),
        "def own(n):\n    return 0 if n == 0 else 1 + own(n - 1)\nassert own(3500) == deep(3500)",
    ],
    "a seed of set-up": [
        SQUARE,
        Given("import random\nrandom.seed(1)"),
        "assert abs(random.random() - 0.13436424) < 1e-6 and square(2) == 4",
    ],
    "a seed of set-up that the solution draws from": [
        Given("import numpy as np\nnp.random.seed(1)"),
        Solution("first = np.random.rand()"),
        "second = np.random.rand()\nassert abs(first - 0.417022) < 1e-5 and abs(second - 0.7203245) < 1e-5",
    ],
    "draws in turns": [
        NOISY,
        "import numpy as np\nnp.random.seed(0)\nfound = [np.random.rand(), noisy(0), np.random.rand(), noisy(0)]\nnp.random.seed(0)\n"
        "assert found == [np.random.rand() for _ in range(4)]",
    ],
    "draws around a function that draws nothing": [
        SQUARE,
        "import numpy as np\nnp.random.seed(0)\nfound = [np.random.rand(), square(2), np.random.rand()]\nnp.random.seed(0)\n"
        "assert found == [np.random.rand(), 4, np.random.rand()]",
    ],
    "draws of normal numbers in turns": [
        Solution("import random\ndef noisy():\n    return random.gauss(0, 1)"),
        "import random\nrandom.seed(2)\nfound = [noisy(), random.gauss(0, 1), noisy(), random.random()]\nrandom.seed(2)\n"
        "assert found == [random.gauss(0, 1), random.gauss(0, 1), random.gauss(0, 1), random.random()]",
    ],
    "draws of torch in turns": [
        Solution("import torch\ndef noisy():\n    return torch.randn(1).item()"),
        "import torch\ntorch.manual_seed(2)\nfound = [noisy(), torch.randn(1).item(), noisy()]\ntorch.manual_seed(2)\n"
        "assert found == [torch.randn(1).item() for _ in range(3)]",
    ],
    "a generator of torch that is passed": [
        Solution("import torch\ndef noisy(rng):\n    return torch.rand(1, generator=rng).item()"),
        "import torch\nrng = torch.Generator().manual_seed(3)\nfound = [noisy(rng), torch.rand(1, generator=rng).item(), noisy(rng)]\n"
        "again = torch.Generator().manual_seed(3)\nassert found == [torch.rand(1, generator=again).item() for _ in range(3)]",
    ],
    "an old generator of numpy that is passed": [
        Solution("def noisy(rng):\n    return rng.randn()"),
        "import numpy as np\nrng = np.random.RandomState(3)\nfound = [noisy(rng), rng.randn(), noisy(rng)]\nagain = np.random.RandomState(3)\n"
        "assert found == [again.randn() for _ in range(3)]",
    ],
    "the same seed again and again": [
        NOISY,
        "import numpy as np\nfor seed in (0, 0, 1, 1):\n    np.random.seed(seed)\n    found = noisy(0)\n    np.random.seed(seed)\n"
        "    assert found == np.random.rand()",
    ],
    "a seed for the test below": [SQUARE, "import random\nrandom.seed(1)", "assert abs(random.random() - 0.13436424) < 1e-6 and square(2) == 4"],
    "a test's name in set-up below": [
        SQUARE,
        "n = 3\nassert square(n) == 9",
        Given("table = {n: n * n}"),
        Solution("def look(k):\n    return table[k]"),
        "assert look(3) == table[3] == square(3)",
    ],
    "a test's import in cells below": [
        SQUARE,
        "import math\nassert square(2) == 4",
        Given("half = math.pi / 2"),
        Solution("def root(x):\n    return math.sqrt(x) * half"),
        "assert abs(root(square(2)) - math.pi) < 1e-9",
    ],
    "a test's value of the student's in cells below": [
        SQUARE,
        "four = square(2)\nassert four == 4",
        plain("eight = four * 2"),
        Solution("nine = eight + 1"),
        "assert (eight, nine) == (8, 9)",
    ],
    "a test's function in a solution below": [
        SQUARE,
        "def twice(f, x):\n    return f(f(x))\nassert twice(square, 2) == 16",
        Solution("def fourth(x):\n    return twice(square, x)"),
        "assert fourth(3) == 81",
    ],
    "a method that a given cell puts into a given class": [
        Given(NODE),
        Solution("def doubled(self):\n    return 2 * self.value"),
        Given("Node.doubled = doubled"),
        "assert Node(4).doubled() == 8",
    ],
    "a part of a package that a test takes away": [
        Given("import numpy as np"),
        Solution("def inverse_of_two():\n    try:\n        return np.linalg.inv(np.array([[2.0]]))\n    except TypeError:\n        return 'none'"),
        "kept = np.linalg.inv\nassert inverse_of_two() == 0.5\nnp.linalg.inv = None\nassert inverse_of_two() == 'none'\n"
        "np.linalg.inv = kept\nassert inverse_of_two() == 0.5",
    ],
    "what set-up puts into a module": [
        Given("import math\nmath.thrice = 3 * math.tau"),
        Solution("def turns():\n    return math.thrice"),
        "assert turns() == math.thrice",
    ],
}
