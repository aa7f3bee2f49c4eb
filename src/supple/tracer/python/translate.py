"""From the source of a Python function to LLVM assembly.

Types come from the annotations of arguments (float, int, Reals, Pointers, Arguments, Kernels, or
a NamedTuple of these, whose fields become arguments of their own) and from what is assigned first.
Names from outside the function are constants: numbers, tables of numbers, or other functions, which
are translated along. Whatever is known while translating (constants, the index of an unrolled loop)
is computed then, and decisions about it are made then.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..llvm.builder import Builder
from ..llvm.module import Module
from ..llvm.values import INDEX, POINTER, REAL, TRUTH, Value, constant, literal, vector, whole
from . import language

Function = Callable[..., object]
_ARITHMETIC = {ast.Add: ("fadd", "add"), ast.Sub: ("fsub", "sub"), ast.Mult: ("fmul", "mul")}
_COMPARE = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}
_FUNCTIONS = {"abs": "fabs", "sqrt": "sqrt", "min": "minnum", "max": "maxnum"}
_ELEMENTS = {"Pointers": "Reals", "Arguments": "Pointers", "Kernels": "Kernel"}
_CODE = ("co_code", "co_names", "co_varnames", "co_consts")
_UNKNOWN = object()


class TranslationError(TypeError):
    """A function holds what the small language does not."""


class Typed(NamedTuple):
    """A value and what it is: float, int, bool (of each lane), truth (of all lanes), or one of
    the arrays."""

    value: Value
    what: str


def translated(functions: Mapping[str, Function], lanes: int = 1) -> str:
    """Assembly of a module with these functions, by the names they are called from outside."""
    made = _Module(lanes, {function: name for name, function in functions.items()})
    for function in functions.values():
        made.function(function)
    return made.module.text()


class _Module:
    """Functions translated so far."""

    def __init__(self, lanes: int, outside: Mapping[Function, str]) -> None:
        self.module, self.lanes, self.outside = Module(), lanes, outside
        self._names: dict[Function, str] = {}
        self._tables: dict[tuple[float, ...], str] = {}

    def type_of(self, what: str) -> str:
        lanes = self.lanes
        kinds = {"float": vector(REAL, lanes), "bool": vector(TRUTH, lanes), "truth": TRUTH}
        return INDEX if what == "int" else kinds.get(what, POINTER)

    def function(self, function: Function) -> str:
        """Its name in the module."""
        if function not in self._names:
            inside = f"f{len(self._names)}_{function.__name__}"
            self._names[function] = self.outside.get(function, inside)
            internal = function not in self.outside
            _Body(self, function).write(self._names[function], internal)
        return self._names[function]

    def table(self, numbers: tuple[float, ...]) -> str:
        """A constant table of floats."""
        if numbers not in self._tables:
            name = f"table{len(self._tables)}"
            self.module.table(name, REAL, [literal(float(x)) for x in numbers])
            self._tables[numbers] = name
        return self._tables[numbers]


def signature(function: Function) -> tuple[dict[str, str], str]:
    """What it is given, fields of tuples by name and field, and what it gives back ("None" if
    nothing)."""
    words = {k: str(v) for k, v in function.__annotations__.items()}
    back = words.pop("return", "None")
    given: dict[str, str] = {}
    for name, what in words.items():
        given |= _fields(name, function.__globals__.get(what)) or {name: what}
    return given, back


def _source(function: Function) -> ast.FunctionDef:
    """What it was written as; refused where the file is another by now than what runs."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (SyntaxError, OSError):
        tree = ast.Module([], [])
    (same,) = tree.body if len(tree.body) == 1 else (None,)
    if isinstance(same, ast.FunctionDef):
        space: dict[str, Function] = {}
        bare = ast.Module([_unannotated(same)], [])
        exec(compile(ast.fix_missing_locations(bare), "source", "exec"), space)  # our own source
        here, there = function.__code__, space[same.name].__code__
        if all(getattr(here, x) == getattr(there, x) for x in _CODE):
            return same
    raise TranslationError(
        f"{function.__name__} has another source by now than when it was imported: start Python "
        f"again"
    )


def _unannotated(node: ast.FunctionDef) -> ast.FunctionDef:
    """The same without what only readers of types look at."""
    words = {**vars(node), "decorator_list": [], "returns": None}
    given = [ast.arg(a.arg) for a in node.args.args]
    words["args"] = ast.arguments([], given, None, [], [], None, [])
    return ast.FunctionDef(**words)


def _fields(name: str, kind: object) -> dict[str, str]:
    """The variables that a tuple of this kind is made of; none of what is no tuple."""
    words = kind.__annotations__ if isinstance(kind, type) and hasattr(kind, "_fields") else {}
    return {f"{name}.{field}": _word(what) for field, what in words.items()}


def _word(what: object) -> str:
    """An annotation as it was written."""
    return str(getattr(what, "__forward_arg__", what))


class _Body:
    """One function, being written."""

    def __init__(self, module: _Module, function: Function) -> None:
        self.module, self.outside = module, function.__globals__
        self.source = function
        self.known: dict[str, object] = {"LANES": module.lanes}
        self.locals: dict[str, Typed] = {}  # where each variable lives
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go

    def write(self, name: str, internal: bool) -> None:
        given, back = signature(self.source)
        tree = _source(self.source)
        self.back = back
        kinds = {k: self.module.type_of(what) for k, what in given.items()}
        returns = "void" if back == "None" else self.module.type_of(back)
        with self.module.module.function(name, kinds, returns, internal=internal) as (b, values):
            self.b: Builder = b
            for (word, what), value in zip(given.items(), values, strict=True):
                self._store(word, Typed(value, what))
            self._statements(tree.body)
            if back != "None":
                b.do("unreachable")
                b.begin(b.label("never"))
                b.do("unreachable")

    # statements

    def _statements(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value=ast.Call() as call):
                self._call(call)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._assignment(node)
            case ast.For():
                self._for(node)
            case ast.While(test=test, body=body):
                self._while(test, body)
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(test, body, orelse)
            case ast.Return(value=value):
                self._return(value)
            case ast.Break():
                self._leave(self.loops[-1][1])
            case ast.Continue():
                self._leave(self.loops[-1][0])
            case _:
                raise self._wrong(node)

    def _assignment(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                made = [self._expression(value) for value in values]
                for target, value in zip(targets, made, strict=True):
                    self._assign(target, value)
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind), args=values)
            ) if fields := _fields(name, self.outside.get(kind)):
                made = [self._expression(value) for value in values]
                for (field, what), value in zip(fields.items(), made, strict=True):
                    self._store(field, self._as(value, what))
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self._expression(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self._expression(value))
            case ast.AugAssign(target=target, op=op, value=value):
                here = ast.copy_location(ast.BinOp(_loading(target), op, value), node)
                self._assign(target, self._expression(here))
            case _:
                raise self._wrong(node)

    def _leave(self, label: str) -> None:
        self.b.go(label)
        self.b.begin(self.b.label("beyond"))

    def _return(self, value: ast.expr | None) -> None:
        self.b.give(None if value is None else self._as(self._expression(value), self.back).value)
        self.b.begin(self.b.label("beyond"))

    def _assign(self, target: ast.expr, value: Typed) -> None:
        match target:
            case ast.Name(id=name):
                self._store(name, value)
            case ast.Subscript(value=array, slice=place):
                base = self._expression(array)
                if base.what == "Pointers":
                    self.b.store(value.value, self._element(base, place))
                else:
                    self.b.store(self._as(value, "float").value, self._element(base, place))
            case _:
                raise self._wrong(target)

    def _store(self, name: str, value: Typed) -> None:
        if name not in self.locals:
            kind = value.value.type
            room = Value(f"%v{len(self.locals)}_{name}", POINTER)
            self.b.lines.insert(1, f"{room.name} = alloca {kind}, align 8")
            self.locals[name] = Typed(room, value.what)
        room, what = self.locals[name]
        self.b.store(self._as(value, what).value, room)

    def _for(self, node: ast.For) -> None:
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id=how), args=args)):
                if how == "unrolled":
                    self._unrolled(name, self._evaluate(args[0]), node.body)
                elif how == "range":
                    self._counting(name, args, node.body)
                else:
                    raise self._wrong(node)
            case _:
                raise self._wrong(node)

    def _unrolled(self, name: str, places: Iterable[object], body: list[ast.stmt]) -> None:
        if places is _UNKNOWN:
            raise TranslationError(f"{name}: what is unrolled must be known")
        for k in places:
            self.known[name] = k
            self._statements(body)
        self.known.pop(name, None)

    def _counting(self, name: str, args: list[ast.expr], body: list[ast.stmt]) -> None:
        b = self.b
        ends = [self._as(self._expression(x), "int") for x in args[:2]]
        start, stop = (Typed(whole(0), "int"), ends[0]) if len(ends) == 1 else ends
        step = self._evaluate(args[2]) if len(args) > 2 else 1
        self._store(name, start)
        head, inside, following, after = (b.label(x) for x in ("head", "inside", "next", "after"))
        b.go(head)
        b.begin(head)
        at = self._load(name).value
        b.go_if(b.icmp("slt" if step > 0 else "sgt", at, stop.value), inside, after)
        b.begin(inside)
        with self._loop(following, after):
            self._statements(body)
        b.go(following)
        b.begin(following)
        self._store(name, Typed(b.add(self._load(name).value, step), "int"))
        b.go(head)
        b.begin(after)

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        b = self.b
        head, inside, after = (b.label(x) for x in ("while", "do", "after"))
        b.go(head)
        b.begin(head)
        b.go_if(self._decision(test), inside, after)
        b.begin(inside)
        with self._loop(head, after):
            self._statements(body)
        b.go(head)
        b.begin(after)

    @contextmanager
    def _loop(self, again: str, after: str) -> Iterator[None]:
        self.loops.append((again, after))
        yield
        self.loops.pop()

    def _if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        known = self._evaluate(test)
        if known is not _UNKNOWN:
            self._statements(body if known else orelse)
            return
        b = self.b
        yes, no, after = (b.label(x) for x in ("yes", "no", "after"))
        b.go_if(self._decision(test), yes, no)
        b.begin(yes)
        self._statements(body)
        b.go(after)
        b.begin(no)
        self._statements(orelse)
        b.go(after)
        b.begin(after)

    def _decision(self, test: ast.expr) -> Value:
        so = self._expression(test).value
        if so.type != TRUTH:
            raise TranslationError(f"{ast.unparse(test)} differs from lane to lane: use where")
        return so

    # expressions

    def _evaluate(self, node: ast.expr) -> Any:
        """Its value, if it is known while translating."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        here = {**self.outside, **self.known}
        own = {n.split(".")[0] for n in self.locals}
        if any(n in own or (n not in here and n not in _SAFE) for n in names):
            return _UNKNOWN
        if any(isinstance(here.get(n), type(inspect)) for n in names):
            return _UNKNOWN
        calls = {ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
        if not calls <= _SAFE:
            return _UNKNOWN
        value = eval(compile(ast.Expression(node), "known", "eval"), here)  # our own source
        return value if isinstance(value, int | float | bool | tuple | range) else _UNKNOWN

    def _expression(self, node: ast.expr) -> Typed:
        known = self._evaluate(node)
        if known is not _UNKNOWN and isinstance(known, bool | int | float):
            return self._constant(known)
        match node:
            case ast.Name(id=name) if name in self.locals:
                return self._load(name)
            case ast.Attribute() if (name := ast.unparse(node)) in self.locals:
                return self._load(name)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._expression(left), right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                x = self._expression(operand)
                if x.what == "int":
                    return Typed(self.b.sub(0, x.value), "int")
                return Typed(self.b.fneg(x.value), "float")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                x = self._expression(operand)
                return Typed(self.b.bits("xor", x.value, _true(x.value.type)), x.what)
            case ast.BoolOp(op=op, values=values):
                return self._logic("and" if isinstance(op, ast.And) else "or", values)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compare(op, self._expression(left), self._expression(right))
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self._select(test, yes, no)
            case ast.Subscript(value=array, slice=place):
                return self._read(array, place)
            case ast.Call():
                made = self._call(node)
                if made is None:
                    raise self._wrong(node)
                return made
        raise self._wrong(node)

    def _constant(self, value: bool | int | float) -> Typed:
        if isinstance(value, bool):
            return Typed(Value(str(value).lower(), TRUTH), "truth")
        if isinstance(value, int):
            return Typed(whole(value), "int")
        return Typed(constant(value, self.module.type_of("float")), "float")

    def _load(self, name: str) -> Typed:
        room, what = self.locals[name]
        kind = self.module.type_of(what)
        return Typed(self.b.load(kind, room), what)

    def _as(self, x: Typed, what: str) -> Typed:
        """A whole number where a float is wanted; a uniform truth where lanes have their own."""
        if what == "float" and x.what == "int":
            real = self.b.convert("sitofp", x.value, REAL)
            return Typed(self.b.splat(real, self.module.lanes), "float")
        if what == "bool" and x.what == "truth":
            return Typed(self.b.splat(x.value, self.module.lanes), "bool")
        if x.what != what:
            raise TranslationError(f"{self.source.__name__}: a {x.what} where {what} is wanted")
        return x

    def _binary(self, op: ast.operator, a: Typed, right: ast.expr) -> Typed:
        if isinstance(op, ast.Pow):
            return self._power(a, self._evaluate(right))
        b = self._expression(right)
        whole_numbers = a.what == b.what == "int"
        if type(op) in _ARITHMETIC:
            real, index = _ARITHMETIC[type(op)]
            if whole_numbers:
                return Typed(getattr(self.b, index)(a.value, b.value), "int")
            pair = self._as(a, "float").value, self._as(b, "float").value
            return Typed(getattr(self.b, real)(*pair), "float")
        if isinstance(op, ast.Div):
            pair = self._as(a, "float").value, self._as(b, "float").value
            return Typed(self.b.fdiv(*pair), "float")
        if isinstance(op, ast.FloorDiv | ast.Mod) and whole_numbers:
            how = "sdiv" if isinstance(op, ast.FloorDiv) else "srem"
            return Typed(self.b.bits(how, a.value, b.value), "int")
        raise TranslationError(f"{self.source.__name__}: {type(op).__name__}")

    def _power(self, x: Typed, exponent: object) -> Typed:
        if not (isinstance(exponent, int) and exponent >= 1):
            raise TranslationError("powers are whole numbers; else use power(x, p)")
        out = x.value
        for _ in range(exponent - 1):
            out = self.b.fmul(out, x.value)
        return Typed(out, "float")

    def _logic(self, how: str, values: list[ast.expr]) -> Typed:
        parts = [self._expression(v) for v in values]
        what = "truth" if all(p.what == "truth" for p in parts) else "bool"
        out, *others = [self._as(p, what).value for p in parts]
        for other in others:
            out = self.b.bits(how, out, other)
        return Typed(out, what)

    def _compare(self, op: ast.cmpop, a: Typed, b: Typed) -> Typed:
        real, index = _COMPARE[type(op)]
        if a.what == b.what == "int":
            return Typed(self.b.icmp(index, a.value, b.value), "truth")
        pair = self._as(a, "float").value, self._as(b, "float").value
        return Typed(self.b.fcmp(real, *pair), "bool")

    def _select(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> Typed:
        known = self._evaluate(test)
        if known is not _UNKNOWN:
            return self._expression(yes if known else no)
        so, a, b = self._expression(test), self._expression(yes), self._expression(no)
        if so.what == "truth" and "float" in (a.what, b.what):
            so = self._as(so, "bool")
        if "float" in (a.what, b.what):
            a, b = self._as(a, "float"), self._as(b, "float")
        return Typed(self.b.select(so.value, a.value, b.value), a.what)

    # memory

    def _element(self, base: Typed, place: ast.expr) -> Value:
        at = self._as(self._expression(place), "int").value
        kind = POINTER if base.what in _ELEMENTS else self.module.type_of("float")
        return self.b.at(base.value, at, kind)

    def _read(self, array: ast.expr, place: ast.expr) -> Typed:
        table = self._evaluate(array)
        if isinstance(table, tuple):
            at = self._as(self._expression(place), "int").value
            name = Value(f"@{self.module.table(table)}", POINTER)
            x = self.b.load(REAL, self.b.at(name, at, REAL))
            return Typed(self.b.splat(x, self.module.lanes), "float")
        base = self._expression(array)
        if isinstance(place, ast.Slice):
            if place.lower is None or place.upper is not None or place.step is not None:
                raise TranslationError(f"{ast.unparse(place)}: only [start:] is known")
            return Typed(self._element(base, place.lower), "Reals")
        if base.what in _ELEMENTS:
            return Typed(self.b.load(POINTER, self._element(base, place)), _ELEMENTS[base.what])
        if base.what != "Reals":
            raise TranslationError(f"{ast.unparse(array)} is no array")
        return Typed(self.b.load(self.module.type_of("float"), self._element(base, place)), "float")

    # calls

    def _call(self, node: ast.Call) -> Typed | None:
        if isinstance(node.func, ast.Subscript):
            kernel = self._expression(node.func)
            self.b.call(kernel.value.name, *[self._expression(x).value for x in node.args])
            return None
        name = ast.unparse(node.func)
        if name == "where":
            return self._select(*node.args)
        given = [x for arg in node.args for x in self._arguments(arg)]
        if name in ("any_of", "all_of"):
            return self._together("or" if name == "any_of" else "and", given[0])
        if name in ("least", "greatest"):
            return self._extreme("minnum" if name == "least" else "maxnum", given[0].value)
        if name == "power":
            pair = [self._as(x, "float").value for x in given]
            return Typed(self.b.intrinsic("pow", *pair), "float")
        if name in _FUNCTIONS:
            return self._builtin(name, given)
        function = self.outside.get(name)
        if function is None or not inspect.isfunction(function):
            raise self._wrong(node)
        return self._own(function, given)

    def _arguments(self, node: ast.expr) -> list[Typed]:
        """An argument of a call; of a tuple, all its fields."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            fields = [name for name in self.locals if name.startswith(f"{node.id}.")]
            if fields:
                return [self._load(name) for name in fields]
        return [self._expression(node)]

    def _builtin(self, name: str, given: list[Typed]) -> Typed:
        if name in ("min", "max") and all(x.what == "int" for x in given):
            a, b = (x.value for x in given)
            so = self.b.icmp("slt" if name == "min" else "sgt", a, b)
            return Typed(self.b.select(so, a, b), "int")
        pair = [self._as(x, "float").value for x in given]
        return Typed(self.b.intrinsic(_FUNCTIONS[name], *pair), "float")

    def _extreme(self, how: str, x: Value) -> Typed:
        b, lanes = self.b, self.module.lanes
        parts = [b.extract(x, k) for k in range(lanes)] if lanes > 1 else [x]
        out = parts[0]
        for p in parts[1:]:
            out = b.intrinsic(how, out, p)
        return Typed(b.convert("fptosi", out, INDEX), "int")

    def _together(self, how: str, so: Typed) -> Typed:
        if so.value.type == TRUTH:
            return Typed(so.value, "truth")
        b, lanes = self.b, self.module.lanes
        parts = [b.extract(so.value, k) for k in range(lanes)]
        out = parts[0]
        for p in parts[1:]:
            out = b.bits(how, out, p)
        return Typed(out, "truth")

    def _own(self, function: Function, given: list[Typed]) -> Typed | None:
        words, back = signature(function)
        if len(words) != len(given):
            raise TranslationError(f"{function.__name__} takes {len(words)} arguments")
        values = [self._as(x, what).value for x, what in zip(given, words.values(), strict=True)]
        name = f"@{self.module.function(function)}"
        if back == "None":
            self.b.call(name, *values)
            return None
        return Typed(self.b.call_for(self.module.type_of(back), name, *values), back)

    def _wrong(self, node: ast.AST) -> TranslationError:
        return TranslationError(
            f"{self.source.__name__}: {ast.unparse(node)} is not in the language that can be "
            f"translated"
        )


_SAFE = {"range", "len", "abs", "min", "max", "float", "int", "tuple", "zip", "enumerate", "sum"}


def _true(kind: str) -> Value:
    if kind == TRUTH:
        return Value("true", kind)
    lanes = int(kind[1:].split(" ", 1)[0])
    return Value("<" + ", ".join(["i1 true"] * lanes) + ">", kind)


def _loading(target: ast.expr) -> ast.expr:
    """The same place, read."""
    again = ast.parse(ast.unparse(target), mode="eval").body
    return again


__all__ = ["TranslationError", "language", "translated"]
