"""A flexible arm for control design: poles, transfer function, a turning blade, a map, energy.

Known answer: out of its plane the arm is a cantilever, 3.5160 sqrt(EI / (m L^3)) = 30.45 rad/s.
Run: python examples/11_linear_models_and_campbell.py
"""

import numpy as np

import supple

beam = {"length": 1.0, "mass": 0.8, "EI": 60.0, "damping": {"ratio": 0.01}}
arm = supple.build(
    {
        "name": "arm",
        "gravity": [0, -9.81, 0],
        "links": {
            "upper": {"rigid": {"mass": 2, "com": [0.2, 0, 0], "inertia": 0.05, "length": 0.4}},
            "arm": {
                "beam": beam | {"modes": {"bending_y": 3, "bending_z": 3}},
                "stations": {"gauge": {"x": 0.1, "offset": [0, 0.005, 0]}},
            },
        },
        "joints": [
            {"name": "shoulder", "type": "revolute", "child": "upper", "damping": 0.5},
            {"name": "elbow", "type": "revolute", "parent": "upper", "child": "arm"},
        ],
    }
)

# Linear model at rest: shapes and torques of rest are found; inputs and outputs by name.
model = supple.linearise(
    arm,
    {"shoulder": -1.2, "elbow": 0.6},
    inputs=["elbow"],
    outputs=["arm.tip.y", "arm.gauge.strain"],
)
print(model)
print(model.transfer_function("arm.gauge.strain"))
assert any(abs(pole.omega / 30.45 - 1) < 0.01 for pole in model.modes())
zeros = model.zeros(["arm.tip.y"])
print(f"the tip is {'nonminimum' if zeros.real.max() > 1e-6 else 'minimum'} phase")
slow = min(model.modes(), key=lambda pole: pole.omega)
print(f"slowest: {slow.hertz:.3f} Hz, damping {slow.damping:.3f}, mostly {slow.name}")

# What the links do while the shoulder turns: no weight, or it would change on the way round.
spun = supple.campbell(arm.replace(gravity=[0, 0, 0]), "shoulder", np.linspace(0, 30, 7))
for c in spun.crossings:
    print(f"{c.order:g}x meets {c.mode} at {c.speed:.2f} rad/s")

# Deflection under a load over part of the workspace; places out of reach stay blank.
grid = {"x": np.linspace(0.4, 1.6, 5), "y": np.linspace(-0.4, 0.4, 3)}
found = supple.workspace_map(arm, "arm.tip", grid, [0, -2.0, 0], start={"elbow": 1.0})
print(
    f"{found.blank} of 15 places out of reach; sag up to {1e3 * np.nanmax(found.data.sag):.1f} mm"
)

# Energy of a run.
run = supple.simulate(arm, lambda t: [20 * np.sin(3 * t), 4.0], 1.0, q0={"shoulder": -1.5})
print(supple.energy_study(run))
