"""A robot from a Python dict: the words of a model file, without the file.

Known answer: hub, column and payload weigh 8.5 kg, the tube 2700 pi 0.002 0.048 1.5 kg.
Run: python examples/03_build_a_robot.py
"""

import numpy as np

import supple

tube = {"shape": "tube", "diameter": [0.06, 0.04], "wall": 0.002}  # [root, tip]: a taper
model = {
    "supple": 1,
    "name": "two-tube-arm",
    "gravity": [0, 0, -9.81],
    "links": {
        "column": {"rigid": {"mass": 5.0, "inertia": 0.02, "tip": [0, 0, 0.4]}},
        "boom": {
            "hub": {"mass": 1.5, "inertia": 0.003},
            "beam": {
                "length": 1.5,
                "density": 2700,
                "E": 70e9,
                "nu": 0.33,
                "section": tube,
                "modes": {"bending_y": 2, "bending_z": 2, "torsion": 1},
                "damping": {"ratio": 0.01},
            },
            "payload": {"mass": 2.0, "com": [0.05, 0, -0.02], "inertia": 0.004},
            "stations": {"camera": {"x": 0.75, "offset": [0, 0, 0.05]}},
        },
    },
    "joints": [
        {"name": "turn", "type": "revolute", "child": "column"},
        {
            "name": "lift",
            "type": "revolute",
            "parent": "column",
            "child": "boom",
            "axis": [0, -1, 0],  # positive angles lift
            "friction": {"coulomb": 0.1, "viscous": 0.05},
        },
    ],
}
robot = supple.build(model)
assert abs(robot.mass - (8.5 + 2700 * np.pi * 0.002 * 0.048 * 1.5)) < 1e-9
print(f"{robot.name}: mass {robot.mass:.3f} kg, coordinates {', '.join(robot.coordinate_names)}")
print("links:", ", ".join(link.name for link in robot.links))  # the payload turns with the tip
print("locked frequencies:", np.round(supple.frequencies(robot, locked=True).hertz, 2), "Hz")

# What is wrong with a model is said with its place, all faults at once.
model["links"]["boom"]["beam"]["lenght"] = 2.0
model["joints"][1]["type"] = "revolut"
try:
    supple.build(model)
except supple.ModelError as error:
    print(error)
