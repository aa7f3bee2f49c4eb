"""Natural frequencies of a cantilever: mode families and counts against the textbook.

Known answer: cos b cosh b = -1; shapes of the bare beam give its frequencies exactly.
Run: python examples/05_frequencies_and_modes.py
"""

import numpy as np

import supple

L, mass, EI = 2.0, 3.0, 50.0


def cantilever(payload: float = 0.0) -> supple.Robot:
    link = {"beam": {"length": L, "mass": mass, "EI": EI, "modes": {"bending_y": 2}}}
    if payload:
        link["payload"] = {"mass": payload}
    return supple.build(
        {
            "name": "cantilever",
            "gravity": [0, 0, 0],
            "links": {"beam": link},
            "joints": [{"type": "fixed", "child": "beam"}],
        }
    )


def table(robot: supple.Robot, exact: np.ndarray) -> None:
    for family in ("orthogonal", "clamped_free", "clamped_mass", "finite_elements"):
        for count in (1, 2, 4):
            found = supple.frequencies(robot.with_modes(count, family=family)).omega
            pairs = zip(found, exact, strict=False)
            pairs = list(pairs)
            if family == "clamped_mass":
                assert all(abs(w / e - 1.0) < 1e-8 for w, e in pairs)
            errors = ", ".join(f"{100.0 * abs(w / e - 1.0):.4f} %" for w, e in pairs)
            print(f"  {family:16s} {count} shapes: error of the first modes {errors}")


# cos(b) cosh(b) = -1, omega = b^2 sqrt(EI / (rho A L^4))
unit = np.sqrt(EI / (mass / L * L**4))
print("bare beam")
table(cantilever(), unit * np.array([1.8751040687, 4.6940911330]) ** 2)

# With a tip mass equal to the beam's: 1 + cos b cosh b + b (cos b sinh b - sin b cosh b) = 0.
# Shapes of the bare beam converge slowly now; those that fit the loaded tip do not.
print("tip mass equal to the beam's")
table(cantilever(mass), unit * np.array([1.2479174096, 4.0311394367]) ** 2)
