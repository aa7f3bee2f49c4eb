"""Plain Python functions as native code: loops and decisions, which a trace cannot hold.

A trace writes down straight lines; an integrator has loops, steps that are refused, samples to
keep. So its source is read and translated as it stands (`translate`), from a small language
(`language`): floats, whole numbers, arrays of floats, `for`, `while`, `if`, calls. The same
function runs in Python too, as its own check.

With more than one lane every float is a vector, a run in each lane; then decisions about floats
are made by `where`, `any_of` and `all_of`.
"""

from .language import (
    LANES,
    Arguments,
    Kernels,
    Pointers,
    Reals,
    all_of,
    any_of,
    greatest,
    least,
    power,
    unrolled,
    where,
)
from .translate import TranslationError, translated

__all__ = [
    "LANES",
    "Arguments",
    "Kernels",
    "Pointers",
    "Reals",
    "TranslationError",
    "all_of",
    "any_of",
    "greatest",
    "least",
    "power",
    "translated",
    "unrolled",
    "where",
]
