"""Inside the recursion: composite bodies, articulated bodies, Psi, D and M = U D U^T.

Known answer: the last rod, 95 kg and 2 m, has 95 2^2/3 = 126.667 kg m^2 about its joint.
Run: python examples/08_composite_and_articulated_bodies.py
"""

import numpy as np

import supple

robot = supple.load("canadarm")
q = robot.neutral()
q[[0, 3, 6]] = 0.3, -0.8, 0.5
q[1] = 0.02
M = supple.mass_matrix(robot, q)

# Composite body: a link with all it carries, frozen. Coordinates [w; v; d] at the joint.
for link, body in zip(robot.links, supple.composite_bodies(robot, q), strict=True):
    X = body.matrix()
    row = link.u.start  # a revolute joint turns about z: place 2 of [w; v; d]
    print(
        f"{link.name}: composite mass {body.rigid.m:.0f} kg; I_ii {X[2, 2]:.4f} = {M[row, row]:.4f}"
    )

assert abs(M[6, 6] - 95 * 2**2 / 3) < 1e-9

# Articulated body: the same link while all it carries may move. It is lighter.
for link, factor in zip(robot.links, supple.articulated_bodies(robot, q), strict=True):
    first = factor.columns[0]  # the link's last shape goes first
    joint = factor.columns[-1]  # its joint coordinate goes last
    print(
        f"{link.name}: D of the joint {joint.D:10.4f}, articulated I_zz "
        f"{factor.articulated[2, 2]:10.4f}, psi of the last shape on w_z {first.psi[2]:.4f}"
    )

# Eliminating every coordinate from the tips inward is M = U D U^T.
U, D = supple.udu_factors(robot, q)
assert np.allclose(U * D @ U.T, M)
assert D.min() > 0.0
print(f"U D U^T = M to {np.abs(U * D @ U.T - M).max() / np.abs(M).max():.1e}")
print(
    f"U is unit upper triangular: {np.allclose(np.tril(U, -1), 0) and np.allclose(np.diag(U), 1)}"
)
print(f"all pivots positive: {bool(np.all(D > 0))}; smallest {D.min():.4g}, largest {D.max():.4g}")

inverse = supple.inverse_mass_matrix(robot, q)
print(f"explicit inverse: M times it is 1 to {np.abs(M @ inverse - np.eye(robot.nv)).max():.1e}")
