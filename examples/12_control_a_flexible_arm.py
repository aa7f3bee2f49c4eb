"""A flexible arm is moved without leaving it in vibration: shaped reference, feedback, a computer.

Known answers: 3.5160 sqrt(EI / (m L^3)) = 21.84 rad/s; the shaped move ends in rest.
Run: python examples/12_control_a_flexible_arm.py
"""

import numpy as np

import supple

arm = supple.build(
    {
        "gravity": [0, 0, 0],
        "links": {
            "beam": {
                "hub": {"inertia": 0.05},
                "beam": {"length": 1.2, "mass": 0.6, "EI": 40, "modes": {"bending_y": 3}},
            }
        },
        "joints": [{"name": "hub", "type": "revolute", "axis": [0, 0, 1], "child": "beam"}],
    }
)
omega = supple.frequencies(arm, locked=True)
assert abs(omega.omega[0] / 21.84 - 1) < 1e-3
print(f"first mode with the hub held: {omega.omega[0]:.2f} rad/s")

plain = supple.quintic(arm, {"hub": 0.3}, 0.5)
zvd = supple.shaper("zvd", omega, modes=1)
moves = {"plain": plain, "shaped": supple.shaped(plain, zvd)}
for name, move in moves.items():
    run = supple.simulate(arm, None, 3.0, prescribed=move)
    after = run.time > moves["shaped"].duration
    swing = np.ptp(run["deflection"][after, -1, 1])
    assert swing > 0.02 if name == "plain" else swing < 1e-4
    print(f"{name} move: the tip swings by {1e3 * swing:.2f} mm when the hub stands still")

# Feedback of the hub on a computer that runs at 500 Hz and answers 1 ms late, within +-20 N m.
law = supple.pd(arm, 60.0, 6.0, moves["shaped"])
digital = supple.limited(supple.Sampled(law, 0.002, 0.001), 20.0)
there = supple.Event("hub - 0.29", direction=1, name="there")
run = supple.simulate(arm, digital, 3.0, events=[there], samples=301)
print(f"with feedback it is there at {run.events[0].t:.3f} s; {run.inputs}")

# Hold it by all of its state, at least cost.
regulator = supple.lqr(arm, {"hub": 100.0, "d/dt hub": 1.0}, 1.0, q={"hub": 0.3})
run = supple.simulate(arm, regulator, 4.0, q0={"hub": 0.25})
print(f"regulator: hub at {run['hub'][-1]:.4f}, slowest pole {regulator.poles.real.max():.2f} 1/s")
