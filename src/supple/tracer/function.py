"""A function of arrays as native code: called on one state, or on many at once."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import methodcaller
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, brief, unknown_name
from ..frozen import packed
from ..lazy import cached_property
from ..types import Floats
from . import cache
from .algebra import to_casadi, to_sympy
from .c_text import c_source, cuda_source
from .checked_call import ShortWay, Why, checked_call
from .fast_call import WorkSpace, buffer_starts, fast_callable
from .machine import Code, host
from .program import Program, dependence
from .recipe import FunctionFacts, Recipe
from .shares import ALONE, run_shared, workers
from .signature import Signature
from .trace import Trace

if TYPE_CHECKING:
    import casadi
    import sympy

PIECE = 20_000_000  # operations of a batch between two looks for a signal
_BATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


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
        self, name: str, key: str, about: FunctionFacts, recipe: Recipe, code: Code, why: Why | None
    ) -> None:
        self.name = name
        self._why = why
        self._key = key
        self._code = code
        self._wide: dict[int, KernelEntry] = {}
        self._about = about
        self._recipe = recipe
        self.parameters: dict[str, float] = {}  # names and nominal values, where it has any
        self.made_by: tuple[Callable[..., object], tuple[object, ...]] | None = None  # to pickle it

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as what it was made of: there it is compiled anew, or found in the cache."""
        if self.made_by is None:
            raise InputError(
                f"{self.name} was made of a recipe, which does not pickle; make it again there"
            )
        return packed(f"the function {self.name}", *self.made_by)

    @property
    def arguments(self) -> dict[str, int]:
        """Argument names and sizes."""
        return dict(self._about.arguments)

    @property
    def results(self) -> dict[str, tuple[int, ...]]:
        """Result names and shapes."""
        return dict(self._about.results)

    @property
    def dtype(self) -> str:
        """Of all its numbers: "float64" or "float32"."""
        return self._recipe.dtype

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
        found = self._wide.get(lanes)
        return found or self._wide.setdefault(lanes, self._wide_entry(lanes))

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
            most = 1 if threads is None and count < 2 * ALONE else workers(threads)
            alone = (most == 1 or count < 2 * ALONE) and count <= self._piece
            one = shape.one_array
            lead = (count, *shape.first) if one else (count, shape.total)
            target = np.empty(lead, shape.dtype)
            try:
                *starts, end = buffer_starts(*arrays, target)
            except (TypeError, ValueError, BufferError):
                pass  # with gaps, or not to be written
            else:
                if alone:
                    self._run_span(starts, end, 0, count)
                else:
                    self._run((*arrays, target), starts, end, count, most)
                return target if one else shape.parts(target, (count,))
        return self._any_batch(arrays, out, threads)

    def _any_batch(
        self, arrays: tuple[ArrayLike, ...], out: Floats | None, threads: int | None
    ) -> Floats | tuple[Floats, ...]:
        shape = self._signature
        flat, lead = shape.rows(arrays)
        count, most = int(np.prod(lead)), workers(threads)
        target, whole = shape.target(out, lead, shape.total)
        flat = [a.copy() if np.may_share_memory(a, target) else a for a in flat]
        if count:
            starts = [a.ctypes.data for a in flat]
            self._run((*flat, target), starts, target.ctypes.data, count, most)
        if whole is not None:
            return whole
        return shape.parts(target.reshape((*lead, shape.total)), lead)

    @cached_property
    def _signature(self) -> Signature:
        return Signature(self.name, self.arguments, self.results, self.dtype)

    def _run(
        self, arrays: Sequence[object], inputs: list[int], out: int, count: int, threads: int
    ) -> None:
        _ = self._batch_call  # compiled here, not by every thread

        def span(first: int, last: int, memory: object = arrays) -> None:
            self._run_span(inputs, out, first, last)

        run_shared(span, count, threads, self._piece)

    def _run_span(self, inputs: list[int], out: int, first: int, last: int) -> None:
        """States from `first` to before `last`, by this thread."""
        work = self._batch_work
        space = WorkSpace(work) if work else None
        pointers = self._packed(*inputs, space.address if space else 0)
        self._batch_call(pointers, out, first, last)

    @cached_property
    def _piece(self) -> int:
        """States that take some ten milliseconds: so long no signal is seen."""
        return 64 * max(1, PIECE // (64 * sum(self._about.operations.values()) + 1))

    @cached_property
    def _batch_work(self) -> int:
        return self._about.work * host().lanes

    @cached_property
    def _packed(self) -> Callable[..., bytes]:
        """Addresses one behind the other, as native code reads them."""
        return Struct(f"{len(self._about.arguments) + 1}P").pack

    @cached_property
    def _batch_code(self) -> Code:
        lanes = host().lanes_of(self.dtype)
        name = cache.key(self._key, "batch", lanes)
        about = {"what": f"{self.name}, batch", **self._about.words()}
        return cache.recall(name, lambda: (self._recipe.batch(lanes), about), ("batch",)).code

    @cached_property
    def _batch_call(self) -> Callable[..., None]:
        return _BATCH(self._batch_code.address("batch"))

    def jacobian(self, *wrt: str, tangent: bool = False) -> Function:
        """The derivative with respect to one argument, or several: results get a last axis
        that runs over them in turn. Taking several at once shares their work.

        tangent=True: over the rates of q (nv) instead of its numbers (nq), which differ where
        joints keep quaternions: a column is the change along the motion that this rate alone is.
        """
        curved = self._directions("jacobian", wrt, tangent)
        recipe = self._recipe.jacobian(*wrt, tangent=curved)
        key = self._key_of("jacobian", wrt, recipe, curved)
        options = {"tangent": True} if curved else {}
        return self._derived(f"{self.name}_d{'_'.join(wrt)}", key, recipe, "jacobian", wrt, options)

    def jvp(self, *wrt: str, tangent: bool = False) -> Function:
        """The directional derivative J v, forwards: one more argument, d(name), for each in wrt;
        results d(result). tangent=True: dq holds rates (nv), as in `jacobian`."""
        return self._product("jvp", wrt, tangent)

    def vjp(self, *wrt: str, tangent: bool = False) -> Function:
        """The adjoint J^T w, backwards: one more argument, (result)_bar, for each result, its
        numbers row by row; results (name)_bar for each in wrt. It takes a few times the operations
        of the function itself, however many numbers wrt has. tangent=True: q_bar belongs to the
        rates of q, as in `jacobian`."""
        return self._product("vjp", wrt, tangent)

    def _product(self, how: str, wrt: tuple[str, ...], tangent: bool) -> Function:
        curved = self._directions(how, wrt, tangent)
        more = [f"d{x}" for x in wrt] if how == "jvp" else [f"{x}_bar" for x in self.results]
        taken = [name for name in more if name in self.arguments]
        if taken:
            raise InputError(f"{self.name} has an argument {taken[0]} already; it is taken once")
        recipe = getattr(self._recipe, how)(*wrt, tangent=curved)
        key = self._key_of(how, wrt, recipe, curved)
        options = {"tangent": True} if curved else {}
        return self._derived(f"{self.name}_{how}_{'_'.join(wrt)}", key, recipe, how, wrt, options)

    def hessian_vector(self, wrt: str) -> Function:
        """How that derivative changes along a direction: one more argument, `v`."""
        self._known(wrt)
        if "v" in self.arguments:
            raise InputError(f"{self.name} has a direction v already; it is taken once")
        key = cache.key(self._key, "hessian_vector", wrt)
        recipe = self._recipe.hessian_vector(wrt)
        return self._derived(f"{self.name}_d{wrt}_v", key, recipe, "hessian_vector", (wrt,))

    def hessian(self, *wrt: str) -> Function:
        """All second derivatives: results get two last axes that run over the arguments in wrt.
        For one direction `hessian_vector` takes far less."""
        self._directions("hessian", wrt, False)
        key = cache.key(self._key, "hessian", *wrt)
        recipe = self._recipe.hessian(*wrt)
        return self._derived(f"{self.name}_d2{'_'.join(wrt)}", key, recipe, "hessian", wrt)

    def _directions(self, how: str, wrt: tuple[str, ...], tangent: object) -> bool:
        """Whether the derivative is along rates that are not those of the numbers; the arguments
        are looked at."""
        if not wrt:
            raise InputError(f"{how} of {self.name} needs an argument: {', '.join(self.arguments)}")
        for name in wrt:
            self._known(name)
        if len(set(wrt)) != len(wrt):
            raise InputError(f"{how} of {self.name}: an argument is named twice: {wrt}")
        if not isinstance(tangent, bool | np.bool_):
            raise InputError(f"tangent is {brief(tangent)}; it may be True or False")
        return bool(tangent) and any(name in self._recipe.tangents for name in wrt)

    def _key_of(self, how: str, wrt: tuple[str, ...], recipe: Recipe, curved: bool) -> str:
        return cache.key(self._key, how, type(recipe).__name__, *wrt, *["tangent"] * curved)

    def _derived(
        self,
        name: str,
        key: str,
        recipe: Recipe,
        how: str,
        wrt: tuple[str, ...],
        options: dict[str, bool] | None = None,
    ) -> Function:
        out = make(name, key, recipe, self._why)
        out.parameters = self.parameters
        if self.made_by is not None:
            out.made_by = methodcaller(how, *wrt, **options or {}), (self,)
        return out

    def sparsity(self, *wrt: str) -> NDArray[np.bool_] | tuple[NDArray[np.bool_], ...]:
        """Which numbers of jacobian(*wrt) may be other than zero: truths, in its shape. What is
        False is zero at every state, as of links on two branches."""
        for name in wrt or ("",):
            self._known(name)
        places = [list(self.arguments).index(name) for name in wrt]
        rows = dependence(self.program, places)
        shapes = {x: (*shape, rows.shape[1]) for x, shape in self.results.items()}
        return Signature(self.name, self.arguments, shapes).parts(rows.ravel(), ())

    def _known(self, wrt: str) -> None:
        if not isinstance(wrt, str) or wrt not in self.arguments:
            raise unknown_name("argument", wrt, self.arguments, where=self.name)

    def operations(self) -> dict[str, int]:
        """Multiplications, additions, divisions, sine-cosine pairs of one evaluation."""
        return dict(self._about.operations)

    def c_source(self) -> str:
        """C99 text of the function."""
        real = "float" if self.dtype == "float32" else "double"
        return c_source(self.program, self.name, list(self.arguments), real)

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


def make(name: str, key: str, recipe: Recipe, why: Why | None = None) -> Function:
    """Compile a recipe, or take its code from the cache without tracing.

    Calling it goes straight to its machine code, where that way is open. Where it may have no
    result, NaN, `why` says so in words, and a call is refused with them.
    """

    def assembly() -> tuple[str, cache.Words]:
        lanes = host().lanes_of(recipe.dtype)
        return recipe.kernel(lanes), {"what": name, **recipe.about().words()}

    entry = cache.recall(key, assembly)
    about, code = FunctionFacts.read(entry.about), entry.code
    shape = Signature(name, about.arguments, about.results, recipe.dtype)
    fast: list[ShortWay] = []
    checked = checked_call(shape, code, about, fast, why)
    out = fast_callable(Function, shape, checked, code, about.work, watched=why is not None)
    if out is not None and why is None:
        fast.append(weakref.ref(out))
    if out is None:
        words = {"__call__": staticmethod(checked), "__doc__": Function.__doc__}
        kind: type[Function] = type("Function", (Function,), words)
        out = kind.__new__(kind)
    Function.__init__(out, name, key, about, recipe, code, why)
    return out
