"""A study: how robust is an input shaper against a wrong stiffness?

A beam on a motor moves by feed-forward torques, shaped by ZV for its free mode of frequency w0.
If the beam is stiffer than was thought, so that its mode has the frequency w, what is left
vibrates with the share |cos(pi w / (2 w0))| of what it would without a shaper.
Known answer: the closed form above, within 2 % of the unshaped vibration at every stiffness.
Run with a number of points to see a finer map: python 14_study_of_a_shaper.py 200
"""

import sys
import tempfile

import numpy as np

import supple

ARM = {
    "name": "beam-on-a-motor",
    "gravity": [0, 0, 0],
    "links": {
        "beam": {
            "hub": {"inertia": [0, 0, 0.02]},
            "beam": {"length": 1.0, "mass": 0.5, "EI": 10.0, "modes": {"bending_y": 1}},
        }
    },
    "joints": [{"name": "motor", "type": "revolute", "child": "beam"}],
    "motions": {"turn": {"quintic": {"motor": 0.05}, "duration": 0.3}},
}
robot = supple.build(ARM)
w0 = float(supple.frequencies(robot).omega[1])  # rad/s, the motor free
stiffness = np.linspace(0.7, 1.3, int(sys.argv[1]) if len(sys.argv) > 1 else 7)


def vibration(folder, **shaper):
    """Of the beam's shape after the motion, over the stiffness."""
    found = supple.sweep(
        robot=robot,
        vary={"beam.beam.EI": {"values": list(stiffness), "relative": True}},
        experiment={"simulate": {"motion": "turn", "duration": 3.0, "samples": 601, **shaper}},
        outcomes={"left": "range(after(2, beam.bending_y1))"},
        out=folder,
        workers=1,
    )
    return found["left"]


with tempfile.TemporaryDirectory() as folder:
    plain = vibration(f"{folder}/plain")
    shaped = vibration(f"{folder}/shaped", shaper={"zv": [w0]})
expected = np.abs(np.cos(0.5 * np.pi * np.sqrt(stiffness)))
for x, share, known in zip(stiffness, shaped / plain, expected, strict=True):
    print(f"stiffness x {x:.2f}: {100 * share:5.1f} % left, {100 * known:5.1f} % in theory")
assert np.all(np.abs(shaped / plain - expected) < 0.02)
