"""Where a function of time jumps, kinks, or begins to move: the solver starts anew there.

At a smooth place the second difference u(t-h) - 2 u(t) + u(t+h) is much like its neighbours; at a
jump or kink it stands out, at two neighbouring instants. Where more of them stand out in a row,
several breaks lie close together (a train of pulses) or the function is only fast: the stretch
is looked at 8 times more closely, and so is the whole where some windows show more than was
seen. A function that is still rough then is one that no run follows: noise, or pulses without end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..errors import InputError, SimulationError
from ..types import Floats

Bools = npt.NDArray[np.bool_]
OfTime = Callable[[float], Floats]

LOOKS = 19_999  # stretches of a run in which a function is looked at
CLOSER = 8  # times as close it is looked at where that is too far
LEVELS = 3  # times that it is
MOST = 20_000  # breaks of a run
ROUGH = 0.05  # of the function's range: a second difference that is not smooth
ROUNDING = 1e-13  # a second difference that is nothing, in any unit
WINDOWS = 20  # places at which it is looked at very closely
FEW, SHORT = 100, 2e-3  # rough stretches, and their share of the run, that are fenced in
FINEST = 1e-13  # of the run: how closely a break is located
_ZOOM = 33  # points in a stretch that is looked at more closely


class TooRoughError(InputError):
    """A function of time with more breaks than a run can follow."""


def find_breaks(
    function: OfTime, duration: float, called: str = "a function", told: Sequence[float] = ()
) -> list[float]:
    """Instants in (0, duration) where a function of time jumps, kinks, or begins to move; what is
    `told` need not be found."""
    for looks in (LOOKS, CLOSER * LOOKS):
        search = _Search(function, duration, called, np.sort(np.array(told, dtype=float)))
        search.look(0.0, duration, looks, 0)
        if search.sees_all(duration / looks):
            return search.breaks
    if search.fast(duration / looks):
        return search.breaks  # smooth, if faster than we can look: the solver follows it
    raise search.too_rough(f"jumps or kinks less than {duration / looks:.2g} s apart")


@dataclass
class _Search:
    function: OfTime
    duration: float
    called: str
    told: Floats
    found: list[float] = field(default_factory=list)  # jumps and kinks
    fences: list[float] = field(default_factory=list)  # around what is short, not to be missed
    size: Floats = field(default_factory=lambda: np.zeros(0))  # range of each component

    @property
    def breaks(self) -> list[float]:
        return sorted(x for x in {*self.found, *self.fences} if 0.0 < x < self.duration)

    def look(self, a: float, b: float, count: int, level: int) -> bool:
        """Note the breaks in (a, b), seen at `count` stretches of it; whether anything stood
        out there."""
        t = np.linspace(a, b, count + 1)
        values = self.values(t)
        if level == 0:
            self.size = _ranges(values)
        odd, rough = self._stand_out(values)
        chains = list(_chains(odd | rough))
        if level == 0 and np.mean(odd | rough) > 0.5:
            return True  # nothing but roughness: `sees_all` will say so
        for first, last in chains:
            left, right = float(t[first]), float(t[last + 2])
            if last <= first + 1:
                few = slice(first, last + 3)
                at = self._located(t[few], values[few])
                if at is None or level == LEVELS or self._alone(at, values[few]):
                    self.found += [] if at is None else [at]
                    self.fences += [left] if at is None and odd[first] else []
                    continue
            more = level < LEVELS and self.look(left, right, CLOSER * (last - first + 2), level + 1)
            lone = len(chains) < FEW and right - left < SHORT * self.duration
            if not more and (level == LEVELS or lone or odd[first : last + 1].any()):
                self.fences += [left, 0.5 * (left + right), right]
        if len(self.found) > MOST:
            raise self.too_rough(f"more than {MOST} jumps or kinks")
        return bool(chains)

    def sees_all(self, apart: float) -> bool:
        """Whether looks so far apart were close enough: nothing shorter was found by luck, and
        nothing stands out in windows between them that have no break."""
        alone = np.sort([x for x in self.found if not self._is_told(x)])
        short, chance = np.sum(np.diff(alone) < 1.001 * apart), apart * len(alone) ** 2
        if short > 2.0 + 1.5 * chance / self.duration:  # more than come together by chance
            return False
        known = np.sort([*self.found, *self.told])
        for at in self._windows(apart):
            if np.any((known > at - apart) & (known < at + 3.0 * apart)):
                continue
            odd, rough = self._stand_out(self.values(np.linspace(at, at + 2.0 * apart, 65)))
            if np.any(odd & rough):
                return False
        return True

    def _is_told(self, t: float) -> bool:
        k = int(np.searchsorted(self.told, t))
        near = self.told[max(k - 1, 0) : k + 1]
        return bool(np.any(np.abs(near - t) < 1e-9 * self.duration))

    def fast(self, apart: float) -> bool:
        """Whether the function is smooth seen from very near."""
        if len(self.found) + len(self.fences):
            return False
        for at in self._windows(apart):
            near = self._stand_out(self.values(np.linspace(at, at + 2.0 * apart, 513)))
            if np.any(near):
                return False
        return True

    def _windows(self, apart: float) -> Floats:
        """Where some windows begin, in no step with the looks."""
        share = (np.arange(WINDOWS) + 0.5) / WINDOWS + 0.3 / WINDOWS * np.sin(np.arange(WINDOWS))
        return np.asarray(share * (self.duration - 2.0 * apart))

    def too_rough(self, what: str) -> TooRoughError:
        return TooRoughError(
            f"{self.called} has {what} in the {self.duration:.6g} s of the run; no solver follows "
            f"them. Run a shorter stretch, name all the instants (breaks=[...]), or make it "
            f"smooth; noise is given as a table"
        )

    def values(self, t: Floats) -> Floats:
        """The function at these times, NaN where it has no value: (n, components)."""
        many = getattr(self.function, "many", None)
        found = many(t) if many is not None else None
        if found is not None:
            return np.asarray(found)
        out = [self.value(at) for at in t.tolist()]
        width = max(map(len, out))
        rows = [x if len(x) == width else np.full(width, np.nan) for x in out]
        return np.concatenate(rows, dtype=float, casting="unsafe").reshape(len(out), width)

    def value(self, t: float) -> Floats:
        try:
            return np.asarray(self.function(t)).ravel()
        except SimulationError as error:
            if getattr(error, "final", False):
                raise
            return np.array([np.nan])

    def _bends(self, values: Floats) -> Floats:
        """Second differences over the range, 1 where values begin or end: (n - 2, components)."""
        size = self.size if len(self.size) == values.shape[1] else _ranges(values)
        with np.errstate(all="ignore"):
            bend = np.abs(np.diff(values, 2, axis=0))
            bend = np.where(bend <= ROUNDING, 0.0, bend) / np.where(size > 0.0, size, np.inf)
        lost = ~np.isfinite(values)
        bend = np.where(lost[:-2] & lost[1:-1] & lost[2:], 0.0, bend)
        return np.where(np.isfinite(bend), bend, 1.0)

    def _stand_out(self, values: Floats) -> tuple[Bools, Bools]:
        """At which of the inner instants the function is unlike its neighbours, and at which it
        is rough, seen at this distance."""
        bend = self._bends(values)
        beside = np.pad(bend, ((3, 3), (0, 0)), mode="edge")
        around = np.maximum(beside[:-6], beside[6:])  # three places off, on either side
        odd = (bend > 6.0 * around) & (bend > 1e-9)
        return np.any(odd, axis=1), np.any(bend > ROUGH, axis=1)

    def _located(self, t: Floats, values: Floats) -> float | None:
        """Where in these few stretches the function jumps, by bisection, or where its second
        difference is largest, ever more closely; None where it is smooth after all."""
        nearer = False
        while t[-1] - t[0] > FINEST * self.duration + 4.0 * np.spacing(t[-1]):
            steps = (np.abs(np.diff(values, axis=0)) / np.maximum(self.size, 1e-300)).max(axis=1)
            steps = np.where(np.isfinite(steps), steps, 0.0)
            k = int(np.argmax(steps))
            if steps[k] > 0.9 * steps.sum():
                return self._bisected(t[k : k + 2], values[k : k + 2])
            if len(t) == _ZOOM:
                bend = self._bends(values).max(axis=1)
                others = np.partition(bend, -4)[:-4]
                if bend.max() < 1e-12 or bend.max() < 4.0 * others.max(initial=0.0):
                    break  # no nearer: rounding
                k, nearer = int(np.argmax(bend)), True
                t = t[k : k + 3]
            t = np.linspace(t[0], t[-1], _ZOOM)
            values = self.values(t)
        else:
            nearer = True
        return (float(t[0]) + float(t[-1])) / 2.0 if nearer else None

    def _alone(self, at: float, values: Floats) -> bool:
        """Whether nothing else jumps nearby: on either side of `at` the function is what it was
        at the next look on that side, but for its slope."""
        aside = 2.0 * FINEST * self.duration
        near = self.values(np.array([at - aside, at + aside]))
        if near.shape[1] != values.shape[1] or not np.isfinite(np.vstack([near, values])).all():
            return True
        step = np.abs(near[1] - near[0])
        drift = np.abs(np.diff(values[[0, 1, -2, -1]], axis=0))[[0, 2]].max(axis=0)
        apart = np.maximum(np.abs(near[0] - values[0]), np.abs(values[-1] - near[1]))
        return bool(np.all(apart <= 4.0 * np.minimum(drift, step) + 0.1 * step + ROUNDING))

    def _bisected(self, t: Floats, values: Floats) -> float:
        """Where the function goes over from one value to the other."""
        a, b, (left, right) = float(t[0]), float(t[1]), values
        k = int(np.argmax(np.abs(right - left) / np.maximum(self.size, 1e-300)))
        low, high = float(left[k]), float(right[k])
        while b - a > 0.5 * FINEST * self.duration + 2.3e-16 * b:
            middle = 0.5 * (a + b)
            value = float(self.value(middle)[k])
            if abs(value - low) < abs(value - high):
                a, low = middle, value
            else:
                b, high = middle, value
        return 0.5 * (a + b)


def _ranges(values: Floats) -> Floats:
    """Largest minus smallest of each component where it has values; rounding counts as none."""
    out = []
    for column in values.T:
        some = column[np.isfinite(column)]
        wide = np.ptp(some) if len(some) else 0.0
        out.append(wide if len(some) and wide > 1e-12 * np.abs(some).max() else 0.0)
    return np.array(out)


def _chains(marked: Bools) -> Iterator[tuple[int, int]]:
    """First and last place of each row of neighbours that are marked."""
    places = np.flatnonzero(marked)
    if len(places):
        cuts = np.flatnonzero(np.diff(places) > 1)
        starts, ends = np.concatenate([[0], cuts + 1]), np.concatenate([cuts, [len(places) - 1]])
        yield from zip(places[starts].tolist(), places[ends].tolist(), strict=True)
