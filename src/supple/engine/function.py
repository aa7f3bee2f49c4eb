"""supple.compile: a quantity of a robot as native code."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache as remember
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_robot, names
from ..errors import InputError, brief, unknown_name
from ..model.parameters import parameter_value
from ..robot import Robot
from ..types import Floats
from . import cache, sources
from .call import Space, quick
from .machine import Code, host
from .program import Program
from .quantities import Request, check_quantity, choose_recipe
from .recipes import About, Recipe
from .trace import Trace

_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_BATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_ALONE = 256  # states below which threads cost more than they bring


@remember
def _pool(process: int) -> ThreadPoolExecutor:
    """Threads that wait for batches, made as they are needed; a forked process has its own."""
    return ThreadPoolExecutor(max(32, os.cpu_count() or 1), thread_name_prefix="supple")


def _workers(threads: int | None) -> int:
    """How many threads were asked for; None: one a core."""
    if threads is None:
        return os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer):
        raise InputError(f"threads is {brief(threads)}; it must be a whole number, or None for all")
    if threads < 1:
        raise InputError(f"threads is {threads}; it must be at least 1")
    return int(threads)


class Function:
    """A compiled function of arrays. Call it on one state, or `batch` it over many.

    `arguments` and `results` say what goes in and comes out. With one result, `out=` takes the
    array to write to, and nothing is allocated.
    """

    def __init__(self, name: str, key: str, about: About, recipe: Recipe) -> None:
        self.name = name
        self._key = key
        self._about = about
        self._recipe = recipe
        self.parameters: dict[str, float] = {}  # names and nominal values, where it has any

    @property
    def arguments(self) -> dict[str, int]:
        """Argument names and sizes."""
        return dict(self._about.arguments)

    @property
    def results(self) -> dict[str, tuple[int, ...]]:
        """Result names and shapes."""
        return dict(self._about.results)

    @property
    def loops(self) -> bool:
        """Whether its code loops over the links (else it is straight-line)."""
        return self._about.loops

    @cached_property
    def _trace(self) -> Trace:
        return self._recipe.trace()

    @cached_property
    def program(self) -> Program:
        """The straight-line program of the function (traced when first asked for)."""
        return self._trace.program()

    def __call__(self, *arrays: ArrayLike, out: Floats | None = None) -> Any:
        """The result(s) for one state."""
        raise TypeError("functions come from supple.compile")  # each has its own entry

    def batch(
        self, *arrays: ArrayLike, out: Floats | None = None, threads: int | None = None
    ) -> Any:
        """Many states at once: leading axes are broadcast, all cores work.

        A NaN touches its own state only: what depends on it becomes NaN there.
        """
        plan = _Plan(self.name, self.arguments, self.results)
        flat, lead = plan.rows(arrays)
        count = int(np.prod(lead))
        total = self._about.total
        target, whole = plan.target(out, lead, total)
        flat = [a.copy() if np.may_share_memory(a, target) else a for a in flat]
        _workers(threads)
        if count:
            self._run([a.ctypes.data for a in flat], target.ctypes.data, count, threads)
        return whole if whole is not None else plan.parts(target.reshape((*lead, total)), lead)

    def _run(self, inputs: list[int], out: int, count: int, threads: int | None) -> None:
        call, work = self._batch_call, self._about.work * host().lanes

        def run(first: int, last: int) -> None:
            space = Space(work)
            pointers = (ctypes.c_void_p * (len(inputs) + 1))(*inputs, space.address)
            call(ctypes.addressof(pointers), out, first, last)

        workers = min(_workers(threads), max(1, count // _ALONE))
        if workers == 1:
            run(0, count)
            return
        edges = [count * i // workers for i in range(workers + 1)]
        list(_pool(os.getpid()).map(lambda span: run(*span), pairwise(edges)))

    @cached_property
    def _batch_code(self) -> Code:
        lanes = host().lanes
        name = cache.key(self._key, "batch", lanes)
        about = {"what": f"{self.name}, batch", **self._about.words()}
        return cache.recall(name, lambda: (self._recipe.batch(lanes), about)).code

    @cached_property
    def _batch_call(self) -> Callable[..., None]:
        return _BATCH(self._batch_code.address("batch"))

    def jacobian(self, *wrt: str) -> Function:
        """The derivative with respect to one argument, or several: results get a last axis
        that runs over them in turn. Taking several at once shares their work."""
        if not wrt:
            raise InputError(
                f"jacobian of {self.name} needs an argument: {', '.join(self.arguments)}"
            )
        for name in wrt:
            self._known(name)
        if len(set(wrt)) != len(wrt):
            raise InputError(f"jacobian of {self.name}: an argument is named twice: {wrt}")
        recipe = self._recipe.jacobian(*wrt)
        key = cache.key(self._key, "jacobian", type(recipe).__name__, *wrt)
        return self._derived(f"{self.name}_d{'_'.join(wrt)}", key, recipe)

    def hessian_vector(self, wrt: str) -> Function:
        """How that derivative changes along a direction: one more argument, `v`."""
        self._known(wrt)
        if "v" in self.arguments:
            raise InputError(f"{self.name} has a direction v already; it is taken once")
        key = cache.key(self._key, "hessian_vector", wrt)
        return self._derived(f"{self.name}_d{wrt}_v", key, self._recipe.hessian_vector(wrt))

    def _derived(self, name: str, key: str, recipe: Recipe) -> Function:
        out = make(name, key, recipe)
        out.parameters = dict(self.parameters)
        return out

    def _known(self, wrt: str) -> None:
        if not isinstance(wrt, str) or wrt not in self.arguments:
            raise unknown_name("argument", wrt, self.arguments, where=self.name)

    def operations(self) -> dict[str, int]:
        """Multiplications, additions, divisions, sine-cosine pairs of one evaluation."""
        return dict(self._about.operations)

    def c_source(self) -> str:
        """C99 text of the function."""
        return sources.c_source(self.program, self.name, list(self.arguments))

    def cuda_source(self, dtype: str = "double") -> str:
        """CUDA text: one thread a state, columns of states."""
        if not isinstance(dtype, str) or dtype not in ("double", "float"):
            raise InputError(f"dtype is {brief(dtype)}; CUDA source comes in 'double' or 'float'")
        return sources.cuda_source(self.program, self.name, list(self.arguments), dtype)

    def to_sympy(self) -> dict[str, Any]:
        """The results as SymPy expressions."""
        return sources.to_sympy(self._trace)

    def to_casadi(self) -> Any:
        """The same function for CasADi (extra `casadi`)."""
        return sources.to_casadi(self._trace, self.name)

    def __repr__(self) -> str:
        inside = ", ".join(f"{n}[{size}]" for n, size in self.arguments.items())
        outside = ", ".join(f"{n}{list(shape)}" for n, shape in self.results.items())
        return f"<supple function {self.name}({inside}) -> {outside}>"


class _Plan:
    """Checks and shapes arguments and results; knows nothing of machine code."""

    def __init__(
        self, name: str, arguments: dict[str, int], results: dict[str, tuple[int, ...]]
    ) -> None:
        self.name, self.arguments, self.results = name, arguments, results

    def _count(self, arrays: tuple[Any, ...]) -> None:
        if len(arrays) != len(self.arguments):
            raise InputError(
                f"{self.name} takes {len(self.arguments)} arrays ({', '.join(self.arguments)}), "
                f"got {len(arrays)}"
            )

    def array(self, value: Any, name: str) -> Floats:
        """A float64 array from what was given, or a clear refusal."""
        try:
            a = np.asarray(value)
        except ValueError:
            raise InputError(f"{self.name}: {name} has rows of unequal length") from None
        if np.ma.isMaskedArray(value) and np.ma.getmaskarray(value).any():
            raise InputError(f"{self.name}: {name} has masked entries; fill or drop them")
        if a.dtype.kind not in "fiub":
            raise InputError(
                f"{self.name}: {name} has dtype {a.dtype}; real numbers (float64) are taken"
            )
        return np.asarray(a, dtype=np.float64, order="C")

    def one(self, arrays: tuple[Any, ...]) -> list[Floats]:
        self._count(arrays)
        out = []
        for (name, size), value in zip(self.arguments.items(), arrays, strict=True):
            a = self.array(value, name)
            if a.shape != (size,):
                raise InputError(
                    f"{self.name}: {name} has shape {a.shape}, expected ({size},); "
                    f"for many states at once use .batch"
                )
            out.append(a)
        return out

    def rows(self, arrays: tuple[Any, ...]) -> tuple[list[Floats], tuple[int, ...]]:
        """Contiguous (states, size) arrays and the common leading shape."""
        self._count(arrays)
        given = []
        for (name, size), value in zip(self.arguments.items(), arrays, strict=True):
            a = self.array(value, name)
            if a.ndim == 0 or a.shape[-1] != size:
                raise InputError(
                    f"{self.name}.batch: {name} has shape {a.shape}, expected (..., {size})"
                )
            given.append(a)
        try:
            lead = np.broadcast_shapes(*[a.shape[:-1] for a in given])
        except ValueError:
            shapes = ", ".join(f"{n} {a.shape}" for n, a in zip(self.arguments, given, strict=True))
            raise InputError(f"{self.name}.batch: leading axes do not match: {shapes}") from None
        flat = [
            np.ascontiguousarray(np.broadcast_to(a, (*lead, a.shape[-1]))).reshape(
                (int(np.prod(lead)), a.shape[-1])
            )
            for a in given
        ]
        return flat, lead

    def target(self, out: Any, lead: tuple[int, ...], total: int) -> tuple[Floats, Floats | None]:
        """Where to write: (flat array, the user's array or None)."""
        if out is None:
            return np.empty((int(np.prod(lead)), total)), None
        shape = (*lead, *self._only())
        self._writable(out, shape)
        return out.reshape((int(np.prod(lead)), total)), out

    def _only(self) -> tuple[int, ...]:
        if len(self.results) != 1:
            raise InputError(f"{self.name} has {len(self.results)} results; out= takes one")
        return next(iter(self.results.values()))

    def _writable(self, out: Any, shape: tuple[int, ...]) -> None:
        if not isinstance(out, np.ndarray) or out.dtype != np.float64:
            raise InputError(f"{self.name}: out must be a float64 array")
        if out.shape != shape:
            raise InputError(f"{self.name}: out has shape {out.shape}, expected {shape}")
        if not out.flags.writeable:
            raise InputError(f"{self.name}: out is read-only")
        if not (out.flags.c_contiguous and out.flags.aligned):
            raise InputError(f"{self.name}: out must be contiguous")

    def parts(self, flat: Floats, lead: tuple[int, ...]) -> Any:
        """The results with their own shapes; one result stands alone."""
        if len(self.results) == 1:
            return flat.reshape((*lead, *next(iter(self.results.values()))))[()]
        out, at = [], 0
        for shape in self.results.values():
            size = int(np.prod(shape))
            out.append(flat[..., at : at + size].reshape((*lead, *shape)))
            at += size
        return tuple(out)


def _plain_call(plan: _Plan, code: Code, total: int, work: int) -> Callable[..., Any]:
    """The way that takes anything: converts, checks, explains. Refers to no Function."""
    call = _KERNEL(code.address("kernel"))

    def plain(*arrays: ArrayLike, out: Floats | None = None, **others: Any) -> Any:
        if others:
            raise InputError(
                f"{plan.name} takes its arrays by place, in this order: {', '.join(plan.arguments)}"
                f"; by name it takes out= alone, not {', '.join(others)}"
            )
        if out is None and len(arrays) == len(plan.arguments) + 1:
            arrays, out = arrays[:-1], arrays[-1]  # type: ignore[assignment]
        given = plan.one(arrays)
        if out is not None:
            plan._writable(out, plan._only())
        flat = np.empty(total)
        space = Space(work)
        addresses = [*(a.ctypes.data for a in given), space.address]
        pointers = (ctypes.c_void_p * len(addresses))(*addresses)
        call(ctypes.addressof(pointers), flat.ctypes.data)
        if out is None:
            return plan.parts(flat, ())
        out[...] = flat.reshape(out.shape)
        return out

    plain.code = code  # type: ignore[attr-defined]  # lives as long as who may call it
    return plain


def make(name: str, key: str, recipe: Recipe) -> Function:
    """Compile a recipe, or take its code from the cache without tracing.

    Calling it goes straight to its machine code, where that way is open.
    """

    def assembly() -> tuple[str, dict[str, Any]]:
        return recipe.kernel(host().lanes), {"what": name, **recipe.about().words()}

    entry = cache.recall(key, assembly)
    about, code = About.read(entry.about), entry.code
    plan = _Plan(name, about.arguments, about.results)
    plain = _plain_call(plan, code, about.total, about.work)
    out: Function | None = None
    if len(about.results) == 1:
        shape = next(iter(about.results.values()))
        out = quick(Function, tuple(about.arguments.values()), shape, plain, code, about.work)
    if out is None:
        words = {"__call__": staticmethod(plain), "__doc__": Function.__doc__}
        kind: Any = type("Function", (Function,), words)
        out = kind.__new__(kind)
    assert out is not None
    Function.__init__(out, name, key, about, recipe)
    return out


def compile(
    robot: Robot,
    what: str,
    *,
    station: str | None = None,
    parameters: Sequence[str] = (),
    loops: bool | None = None,
) -> Function:
    """A quantity of the robot as native code, e.g. compile(robot, "forward_dynamics").

    The recursion is traced once for this robot; the result is called on arrays, batched over
    many states, differentiated, counted, or written out as source. Code is kept on disk
    (`supple cache`), so the next process has it at once.

    `parameters` names numbers of the robot's model ("upper.beam.mass", "elbow.stiffness",
    "gravity.2"); their values become one more argument, in this order, and the function may be
    differentiated with respect to "parameters".

    Long robots become loops over their links, short ones straight-line code; `loops` decides
    it for you when it is True or False.
    """
    check_robot(robot)
    if loops is not None and not isinstance(loops, bool):
        raise InputError(f"loops is {brief(loops)}; it may be True, False or None")
    check_quantity(robot, what, station)
    parameters = names(parameters, "parameters", '["gravity.2"]')
    nominal = {name: parameter_value(robot, name) for name in parameters}
    tail = "" if station is None else "_" + "".join(c if c.isalnum() else "_" for c in station)
    recipe = choose_recipe(Request(robot, what, station, tuple(parameters)), loops)
    words = repr((tuple(parameters), robot.spec)) if parameters else ""
    key = cache.key(cache.motion_fingerprint(robot, station), what, type(recipe).__name__, words)
    out = make(what + tail, key, recipe)
    out.parameters = nominal
    return out
