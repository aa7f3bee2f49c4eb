"""The integrators, by name. To add one, write its module (see `method`) and add its line."""

from __future__ import annotations

from types import ModuleType

from . import explicit, rk4, rosenbrock, sweep

METHODS: dict[str, ModuleType] = {
    module.NAME: module for module in (explicit, rosenbrock, sweep, rk4)
}
