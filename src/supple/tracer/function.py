"""A function of arrays as native code: called on one state, or on many at once."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache as remember, cached_property
from itertools import pairwise
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, brief, unknown_name
from ..types import Floats
from . import cache
from .algebra import to_casadi, to_sympy
from .c_text import c_source, cuda_source
from .fast_call import WorkSpace, buffer_starts, fast_callable
from .machine import Code, host
from .program import Program, dependence
from .recipe import About, Recipe
from .signature import Signature
from .trace import Trace

if TYPE_CHECKING:
    import casadi
    import sympy

_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_BATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
Why = Callable[[dict[str, Floats]], str]
"""Of arguments by name that gave a NaN: what is wrong with them; nothing, if they are to blame
for no more than being NaN themselves."""

_ALONE = 256  # states below which threads cost more than they bring


@remember
def _pool(process: int) -> ThreadPoolExecutor:
    """Threads that wait for batches, made as they are needed; a forked process has its own."""
    return ThreadPoolExecutor(max(32, os.cpu_count() or 1), thread_name_prefix="supple")


@remember
def _pointers(count: int) -> Any:
    """The type of so many pointers; ctypes forgets, and makes it anew."""
    return ctypes.c_void_p * count


@remember
def _cores() -> int:
    """Asking the system takes longer than a small batch."""
    return os.cpu_count() or 1


def workers(threads: int | None) -> int:
    """How many threads were asked for; None: one a core."""
    if threads is None:
        return _cores()
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer):
        raise InputError(f"threads is {brief(threads)}; it must be a whole number, or None for all")
    if threads < 1:
        raise InputError(f"threads is {threads}; it must be at least 1")
    return int(threads)


@dataclass(frozen=True)
class KernelEntry:
    """kernel(given, out) in machine code: `given` points to an array for each argument, and to
    `work` numbers of work space behind them."""

    address: int
    work: int
    code: Code  # lives as long as it may be called


class Function:
    """A compiled function of arrays. Call it on one state, or `batch` it over many.

    `arguments` and `results` say what goes in and comes out. With one result, `out=` takes the
    array to write to, and nothing is allocated.
    """

    def __init__(
        self, name: str, key: str, about: About, recipe: Recipe, code: Code, why: Why | None
    ) -> None:
        self.name = name
        self._why = why
        self._key = key
        self._code = code
        self._wide: dict[int, KernelEntry] = {}
        self._about = about
        self._recipe = recipe
        self.parameters: dict[str, float] = {}  # names and nominal values, where it has any
        self.made_by: tuple[Callable[..., Function], tuple[Any, ...]] | None = None  # to pickle it

    def __reduce__(self) -> tuple[Callable[..., Function], tuple[Any, ...]]:
        """Pickled as what it was made of: there it is compiled anew, or found in the cache."""
        if self.made_by is None:
            raise InputError(
                f"{self.name} was traced from a function of Python: it does not pickle"
            )
        return self.made_by

    @property
    def arguments(self) -> dict[str, int]:
        """Argument names and sizes."""
        return dict(self._about.arguments)

    @property
    def results(self) -> dict[str, tuple[int, ...]]:
        """Result names and shapes."""
        return dict(self._about.results)

    @property
    def unrolled(self) -> bool:
        """Whether its code is one straight line (else it is a scan: a loop over the links)."""
        return self._about.unrolled

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

    def entry(self, lanes: int = 1) -> KernelEntry | None:
        """Where its machine code begins, for native code that calls it; with lanes, every number
        is a vector, a state in each lane. None where there is no such code."""
        if lanes == 1:
            return KernelEntry(self._code.address("kernel"), self._about.work, self._code)
        if not self._about.unrolled:
            return None
        if lanes not in self._wide:
            self._wide[lanes] = self._wide_entry(lanes)
        return self._wide[lanes]

    def _wide_entry(self, lanes: int) -> KernelEntry:
        name = cache.key(self._key, "wide", lanes)
        about = {"what": f"{self.name}, {lanes} side by side"}
        code = cache.recall(name, lambda: (self._recipe.wide(lanes), about)).code
        return KernelEntry(code.address("kernel"), self._about.work, code)

    def batch(
        self, *arrays: ArrayLike, out: Floats | None = None, threads: int | None = None
    ) -> Any:
        """Many states at once: leading axes are broadcast, all cores work.

        A NaN touches its own state only: what depends on it becomes NaN there. So does what a
        call would refuse: accelerations where a linearised mass matrix is not positive definite.
        """
        shape = self._signature
        count = shape.simple_rows(arrays) if out is None and arrays else None
        if count:
            most = 1 if threads is None and count < 2 * _ALONE else workers(threads)
            one = shape.one_array
            target = np.empty((count, *shape.first) if one else (count, shape.total))
            try:
                *starts, end = buffer_starts(*arrays, target)
            except (TypeError, ValueError, BufferError):
                pass  # with gaps, or not to be written
            else:
                self._run(starts, end, count, most)
                return target if one else shape.parts(target, (count,))
        return self._any_batch(arrays, out, threads)

    def _any_batch(
        self, arrays: tuple[ArrayLike, ...], out: Floats | None, threads: int | None
    ) -> Any:
        shape = self._signature
        flat, lead = shape.rows(arrays)
        count, most = int(np.prod(lead)), workers(threads)
        target, whole = shape.target(out, lead, shape.total)
        flat = [a.copy() if np.may_share_memory(a, target) else a for a in flat]
        if count:
            self._run([a.ctypes.data for a in flat], target.ctypes.data, count, most)
        if whole is not None:
            return whole
        return shape.parts(target.reshape((*lead, shape.total)), lead)

    @cached_property
    def _signature(self) -> Signature:
        return Signature(self.name, self.arguments, self.results)

    def _run(self, inputs: list[int], out: int, count: int, threads: int) -> None:
        most = min(threads, count // _ALONE)
        if most < 2:
            self._run_span(inputs, out, 0, count)
            return
        edges = [count * i // most for i in range(most + 1)]
        spans = pairwise(edges)
        list(_pool(os.getpid()).map(lambda span: self._run_span(inputs, out, *span), spans))

    def _run_span(self, inputs: list[int], out: int, first: int, last: int) -> None:
        """States from `first` to before `last`, by this thread."""
        work = self._batch_work
        space = WorkSpace(work) if work else None
        pointers = self._packed(*inputs, space.address if space else 0)
        self._batch_call(pointers, out, first, last)

    @cached_property
    def _batch_work(self) -> int:
        return self._about.work * host().lanes

    @cached_property
    def _packed(self) -> Callable[..., bytes]:
        """Addresses one behind the other, as native code reads them."""
        return Struct(f"{len(self._about.arguments) + 1}P").pack

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
        return self._derived(f"{self.name}_d{'_'.join(wrt)}", key, recipe, "jacobian", *wrt)

    def hessian_vector(self, wrt: str) -> Function:
        """How that derivative changes along a direction: one more argument, `v`."""
        self._known(wrt)
        if "v" in self.arguments:
            raise InputError(f"{self.name} has a direction v already; it is taken once")
        key = cache.key(self._key, "hessian_vector", wrt)
        recipe = self._recipe.hessian_vector(wrt)
        return self._derived(f"{self.name}_d{wrt}_v", key, recipe, "hessian_vector", wrt)

    def _derived(self, name: str, key: str, recipe: Recipe, how: str, *wrt: str) -> Function:
        out = make(name, key, recipe, self._why)
        out.parameters = dict(self.parameters)
        if self.made_by is not None:
            out.made_by = (_derivative, (self, how, wrt))
        return out

    def sparsity(self, *wrt: str) -> Any:
        """Which numbers of jacobian(*wrt) may be other than zero: truths, in its shape. What is
        False is zero at every state, as of links on two branches."""
        for name in wrt or ("",):
            self._known(name)
        places = [list(self.arguments).index(name) for name in wrt]
        rows = dependence(self.program, places)
        shapes = {x: (*shape, rows.shape[1]) for x, shape in self.results.items()}
        flat: Any = rows.ravel()
        return Signature(self.name, self.arguments, shapes).parts(flat, ())

    def _known(self, wrt: str) -> None:
        if not isinstance(wrt, str) or wrt not in self.arguments:
            raise unknown_name("argument", wrt, self.arguments, where=self.name)

    def operations(self) -> dict[str, int]:
        """Multiplications, additions, divisions, sine-cosine pairs of one evaluation."""
        return dict(self._about.operations)

    def c_source(self) -> str:
        """C99 text of the function."""
        return c_source(self.program, self.name, list(self.arguments))

    def cuda_source(self, dtype: str = "double") -> str:
        """CUDA text: one thread a state, columns of states."""
        if not isinstance(dtype, str) or dtype not in ("double", "float"):
            raise InputError(f"dtype is {brief(dtype)}; CUDA source comes in 'double' or 'float'")
        return cuda_source(self.program, self.name, list(self.arguments), dtype)

    def to_sympy(self) -> dict[str, sympy.Array | sympy.Expr]:
        """The results as SymPy expressions."""
        return to_sympy(self._trace)

    def to_casadi(self) -> casadi.Function:
        """The same function for CasADi (extra `casadi`)."""
        return to_casadi(self._trace, self.name)

    def __repr__(self) -> str:
        inside = ", ".join(f"{n}[{size}]" for n, size in self.arguments.items())
        outside = ", ".join(f"{n}{list(shape)}" for n, shape in self.results.items())
        return f"<supple function {self.name}({inside}) -> {outside}>"


def _derivative(of: Function, how: str, wrt: tuple[str, ...]) -> Function:
    return getattr(of, how)(*wrt)  # type: ignore[no-any-return]


def _plain_call(
    shape: Signature, code: Code, about: About, fast: list[Any], why: Why | None
) -> Callable[..., Any]:
    """The way that takes anything: converts, checks, explains. Refers to no Function but weakly:
    where `fast` has one, it takes arrays that were lists, or had gaps."""
    call = _KERNEL(code.address("kernel"))

    def plain(*arrays: ArrayLike, out: Floats | None = None, **others: object) -> Any:
        if out is None and len(arrays) == len(shape.sizes) + 1:
            arrays, out = arrays[:-1], arrays[-1]  # type: ignore[assignment]
        simple = shape.simple(arrays) if fast and not others else None
        if simple is not None and out is None:
            return fast[0]()(*simple)
        if simple is not None and shape.one_array and type(out) is np.ndarray:
            shape.check_out(out, ())
            return fast[0]()(*simple, out)
        if others:
            raise InputError(shape.no_names(others))
        given = shape.one(arrays)
        if out is not None:
            shape.check_out(out, ())
        flat, space = np.empty(about.total), WorkSpace(about.work)
        addresses = [*(a.ctypes.data for a in given), space.address]
        pointers = _pointers(len(addresses))(*addresses)
        call(ctypes.addressof(pointers), flat.ctypes.data)
        if why is not None and np.isnan(flat).any():
            words = why(dict(zip(shape.arguments, given, strict=True)))
            if words:
                raise InputError(words)
        if out is None:
            return shape.parts(flat, ())
        out[...] = flat.reshape(out.shape)
        return out

    plain.code = code  # type: ignore[attr-defined]  # lives as long as who may call it
    return plain


def make(name: str, key: str, recipe: Recipe, why: Why | None = None) -> Function:
    """Compile a recipe, or take its code from the cache without tracing.

    Calling it goes straight to its machine code, where that way is open. Where it may have no
    result, NaN, `why` says so in words, and a call is refused with them.
    """

    def assembly() -> tuple[str, cache.Words]:
        return recipe.kernel(host().lanes), {"what": name, **recipe.about().words()}

    entry = cache.recall(key, assembly)
    about, code = About.read(entry.about), entry.code
    shape = Signature(name, about.arguments, about.results)
    fast: list[Any] = []
    plain = _plain_call(shape, code, about, fast, why)
    out = fast_callable(Function, shape, plain, code, about.work, watched=why is not None)
    if out is not None and why is None:
        fast.append(weakref.ref(out))
    if out is None:
        words = {"__call__": staticmethod(plain), "__doc__": Function.__doc__}
        kind: type[Function] = type("Function", (Function,), words)
        out = kind.__new__(kind)
    Function.__init__(out, name, key, about, recipe, code, why)
    return out
