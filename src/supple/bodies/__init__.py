"""Rigid and modal bodies: the integrals that the recursions use."""

from .agreement import agreeing
from .beam import Basis, Beam, BeamLine, FieldShapes, basis, beam_body, beam_station
from .body import Body, Moments, full_inertia, inertia_blocks, inertia_wrench, moments
from .elastic_fields import FIELDS, ElasticField
from .mass_properties import MassProperties, RigidPart
from .profile import DerivedProfile, Profile, ProfileProduct, ProfileSum
from .rigid import modal_damping, rigid_body, takes_in, turned, with_part, without_shapes
from .station import Station, node
from .truncated_kinematics import LocalKinematics, LocalTensors, local_kinematics, local_tensors
from .visual import Outline, Visual

__all__ = [
    "FIELDS",
    "Basis",
    "Beam",
    "BeamLine",
    "Body",
    "DerivedProfile",
    "ElasticField",
    "FieldShapes",
    "LocalKinematics",
    "LocalTensors",
    "MassProperties",
    "Moments",
    "Outline",
    "Profile",
    "ProfileProduct",
    "ProfileSum",
    "RigidPart",
    "Station",
    "Visual",
    "agreeing",
    "basis",
    "beam_body",
    "beam_station",
    "full_inertia",
    "inertia_blocks",
    "inertia_wrench",
    "local_kinematics",
    "local_tensors",
    "modal_damping",
    "moments",
    "node",
    "rigid_body",
    "takes_in",
    "turned",
    "with_part",
    "without_shapes",
]
