"""What an arm carries, and how stiff its link is, found from records with noise.

Known answers: 0.8 kg at 0.6 m, and EI = 380 N m^2, each to 1 %.
Run: python examples/13_identify_a_payload.py
"""

import numpy as np

import supple

arm = supple.build(
    {
        "gravity": [0, -9.81, 0],
        "links": {
            "upper": {"beam": {"length": 1, "mass": 2, "EI": 400, "modes": {"bending_y": 1}}},
            "fore": {"rigid": {"mass": 1, "com": [0.3, 0, 0], "inertia": 0.02, "length": 0.6}},
        },
        "joints": [
            {"name": "shoulder", "type": "revolute", "child": "upper"},
            {"name": "elbow", "type": "revolute", "parent": "upper", "child": "fore"},
        ],
    }
)
print(supple.base_parameters(arm))  # what forces can tell at all

# The real arm holds 0.8 kg at its tip, and its upper link is softer than the drawing says.
real = arm.with_parameters({"upper.beam.EI": 380.0})
words = {**real.spec["links"]["fore"], "payload": {"mass": 0.8}}
real = real.replace(links={**real.spec["links"], "fore": words})

rng = np.random.default_rng(1)
q, qd, qdd, tau = [], [], [], []
for t in np.linspace(0.0, 10.0, 400):
    w = np.array([1.1, 7.3, 1.7])  # shoulder, shape, elbow
    size = np.array([0.8, 0.01, 1.0])
    q.append(size * np.sin(w * t))
    qd.append(size * w * np.cos(w * t))
    qdd.append(-size * w**2 * np.sin(w * t))
    force = supple.inverse_dynamics(real, q[-1], qd[-1], qdd[-1])
    tau.append(force + rng.normal(0.0, 0.1, 3))

unknown = ["fore.mass", "fore.mx", "fore.Izz", "upper.K.bending_y1.bending_y1"]
found = supple.identify(arm, q, qd, qdd, tau, unknown)
print(found)

payload = found["fore.mass"] - found.model[0]
at = (found["fore.mx"] - found.model[1]) / payload
stiffness = found[unknown[3]] / found.model[3] * 400.0
print(f"payload {payload:.3f} kg at {at:.3f} m, EI {stiffness:.1f} N m^2")
assert abs(payload - 0.8) < 0.008
assert abs(at - 0.6) < 0.006
assert abs(stiffness - 380.0) < 3.8
