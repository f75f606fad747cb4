"""A test's text as the second road runs it: each operation that could run a student's code asks the thread of the tests, by a name that begins
with `_nb_`.

What is not rewritten, such as `match`, runs as it stands; where a student's code would run by it, that thread ends the test. See
`nbjudge._student.test_thread`.
"""

from __future__ import annotations

import ast
from typing import Any

AS_THEY_ARE = ("super", "locals", "dir", "vars")  # what looks at the frame that calls it
OPERATIONS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or",
    ast.BitAnd: "and",
    ast.BitXor: "xor",
    ast.UAdd: "pos",
    ast.USub: "neg",
    ast.Invert: "invert",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def rewritten(tree: ast.Module) -> ast.Module:
    """The tree with these questions in it; `tree` itself is changed, too."""
    return ast.fix_missing_locations(_Rewritten().visit(tree))


class _Rewritten(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id in AS_THEY_ARE and (node.func.id in ("super", "locals") or not node.args):
            return node
        if isinstance(node.func, ast.Name) and node.func.id == "globals":
            return _ask("globals", node)
        self.generic_visit(node)
        node.args.insert(0, node.func)
        node.func = ast.copy_location(ast.Name("_nb_call", ast.Load()), node)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = _ask("iter", node, node.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return _ask("get", node, node.value, ast.Constant(node.attr)) if isinstance(node.ctx, ast.Load) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return _ask("item", node, node.value, _index(node.slice)) if isinstance(node.ctx, ast.Load) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _ask("binary", node, ast.Constant(OPERATIONS[type(node.op)]), node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.operand, ast.Constant):
            return node
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = _true(node.operand)
            return node
        return _ask("unary", node, ast.Constant(OPERATIONS[type(node.op)]), node.operand)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if all(isinstance(one, (ast.Is, ast.IsNot)) for one in node.ops):
            return node
        names = [OPERATIONS[type(one)] for one in node.ops]
        if len(names) == 1:
            return _ask("compare", node, ast.Constant(names[0]), node.left, node.comparators[0])
        return _ask("chain", node, ast.Tuple([ast.Constant(name) for name in names], ast.Load()), node.left, *node.comparators)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        first, *others = node.values
        if any(isinstance(inner, (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)) for one in others for inner in ast.walk(one)):
            return node
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return _ask("and" if isinstance(node.op, ast.And) else "or", node, first, *(ast.Lambda(nothing, one) for one in others))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return self._judging(node)

    def visit_If(self, node: ast.If) -> ast.stmt:
        return self._judging(node)

    def visit_While(self, node: ast.While) -> ast.stmt:
        return self._judging(node)

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return self._judging(node)

    def _judging(self, node: Any) -> Any:
        self.generic_visit(node)
        node.test = _true(node.test)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        if not node.is_async:
            node.iter = _ask("iter", node.iter, node.iter)
        node.ifs = [_true(one) for one in node.ifs]
        return node

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        node.iter = _ask("iter", node.iter, node.iter)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        if len(node.targets) == 1:
            [target] = node.targets
            if isinstance(target, (ast.Attribute, ast.Subscript)):
                return _done(_ask("set", node, *_place(target), node.value))
            if isinstance(target, (ast.Tuple, ast.List)):
                node.value = _ask("iter", node.value, node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        name = ast.Constant(OPERATIONS[type(node.op)])
        if isinstance(node.target, ast.Name):
            own = ast.Name(node.target.id, ast.Load())
            return ast.copy_location(ast.Assign([node.target], _ask("change", node, name, own, node.value)), node)
        return _done(_ask("change_in", node, name, *_place(node.target), node.value))

    def visit_Delete(self, node: ast.Delete) -> list[ast.stmt]:
        self.generic_visit(node)
        return [
            _done(_ask("delete", node, *_place(target)))
            if isinstance(target, (ast.Attribute, ast.Subscript))
            else ast.copy_location(ast.Delete([target]), node)
            for target in node.targets
        ]

    def visit_With(self, node: ast.With) -> ast.stmt:
        self.generic_visit(node)
        for item in node.items:
            item.context_expr = _ask("within", item.context_expr, item.context_expr)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        self.generic_visit(node)
        kind = ast.Constant("" if node.conversion < 0 else chr(node.conversion))
        return ast.copy_location(ast.FormattedValue(_ask("format", node, node.value, kind, node.format_spec or ast.Constant("")), -1, None), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        self.generic_visit(node)
        node.decorator_list = [_ask("decorator", one, one) for one in node.decorator_list]
        return node

    def visit_Set(self, node: ast.Set) -> ast.expr:
        self.generic_visit(node)
        return _ask("call", node, ast.Name("set", ast.Load()), ast.List(node.elts, ast.Load()))

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        self.generic_visit(node)
        return _ask("call", node, ast.Name("set", ast.Load()), ast.ListComp(node.elt, node.generators))

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        self.generic_visit(node)
        if None in node.keys or all(isinstance(key, (ast.Constant, ast.JoinedStr)) for key in node.keys):
            return node
        pairs: list[ast.expr] = [ast.Tuple([key, value], ast.Load()) for key, value in zip(node.keys, node.values) if key is not None]
        return _ask("call", node, ast.Name("dict", ast.Load()), ast.List(pairs, ast.Load()))

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return _ask("call", node, ast.Name("dict", ast.Load()), ast.ListComp(pair, node.generators))

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        self.generic_visit(node)
        return _ask("own", node, node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.returns, kept = None, node.returns
        self.generic_visit(node)
        node.returns = kept
        node.decorator_list = [_ask("decorator", one, one) for one in node.decorator_list]
        node.decorator_list.append(ast.copy_location(ast.Name("_nb_own", ast.Load()), node))
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return node
        if node.simple:
            node.value = self.visit(node.value)
            return node
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))


def _ask(name: str, where: ast.AST, *arguments: ast.expr) -> ast.Call:
    call = ast.Call(ast.Name(f"_nb_{name}", ast.Load()), list(arguments), [])
    return ast.fix_missing_locations(ast.copy_location(call, where))


def _true(node: ast.expr) -> ast.expr:
    return _ask("true", node, node)


def _done(call: ast.Call) -> ast.stmt:
    return ast.copy_location(ast.Expr(call), call)


def _index(node: ast.expr) -> ast.expr:
    """What stands between brackets, as a value."""
    if isinstance(node, ast.Slice):
        none = ast.Constant(None)
        return _ask("slice", node, node.lower or none, node.upper or none, node.step or none)
    if isinstance(node, ast.Tuple):
        node.elts = [_index(one) for one in node.elts]
    return node


def _place(node: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr]:
    """Where something is written to: whether it is an attribute, of what, and which."""
    if isinstance(node, ast.Attribute):
        return ast.Constant(True), node.value, ast.Constant(node.attr)
    assert isinstance(node, ast.Subscript)
    return ast.Constant(False), node.value, _index(node.slice)
