"""The public names of Supple and where each lives: the one list of them.

Type checkers read this file; `supple/__init__.py` reads it to import a name when it is
first used.
"""

from .analyse import (
    Assemblies as Assemblies,
    Campbell as Campbell,
    LinearModel as LinearModel,
    Statics as Statics,
    WorkspaceMap as WorkspaceMap,
    along as along,
    assemble as assemble,
    campbell as campbell,
    frequencies as frequencies,
    gauge as gauge,
    linearise as linearise,
    mobility as mobility,
    reach as reach,
    statics as statics,
    workspace_map as workspace_map,
    zeros as zeros,
)
from .checked import (
    acceleration as acceleration,
    articulated_bodies as articulated_bodies,
    bias_force as bias_force,
    centre_of_mass as centre_of_mass,
    centre_of_mass_motion as centre_of_mass_motion,
    composite_bodies as composite_bodies,
    coriolis_force as coriolis_force,
    denoc as denoc,
    elastic_force as elastic_force,
    forward_dynamics as forward_dynamics,
    forward_sweeps as forward_sweeps,
    gravity_force as gravity_force,
    inverse_dynamics as inverse_dynamics,
    inverse_mass_matrix as inverse_mass_matrix,
    jacobian as jacobian,
    jacobian_rate as jacobian_rate,
    joint_wrenches as joint_wrenches,
    kinetic_energy as kinetic_energy,
    mass_matrix as mass_matrix,
    momentum as momentum,
    motor_torque as motor_torque,
    passive_force as passive_force,
    pose as pose,
    potential_energy as potential_energy,
    regressor as regressor,
    section_forces as section_forces,
    twist as twist,
    twists as twists,
    udu_factors as udu_factors,
)
from .checked_loops import (
    closure as closure,
    closure_jacobian as closure_jacobian,
    complete_motion as complete_motion,
    cut_choices as cut_choices,
    cut_wrenches as cut_wrenches,
    multipliers as multipliers,
    parallel as parallel,
    platform_jacobian as platform_jacobian,
    reduced as reduced,
    solution_order as solution_order,
    subsystems as subsystems,
)
from .control import (
    Limited as Limited,
    Regulator as Regulator,
    Shaper as Shaper,
    computed_torque as computed_torque,
    cycloidal as cycloidal,
    gravity_compensation as gravity_compensation,
    limited as limited,
    lqr as lqr,
    pd as pd,
    pid as pid,
    quintic as quintic,
    shaped as shaped,
    shaper as shaper,
    through as through,
    trapezoidal as trapezoidal,
)
from .engine import (
    Function as Function,
    compile as compile,
)
from .errors import (
    FileError as FileError,
    InputError as InputError,
    ModelError as ModelError,
    SimulationError as SimulationError,
    SuppleError as SuppleError,
    SuppleWarning as SuppleWarning,
)
from .finite_elements import (
    Part as Part,
    load_part as load_part,
    write_sid as write_sid,
)
from .model import (
    build as build,
    load as load,
    shipped as shipped,
    write_model as write_model,
)
from .robot import (
    Robot as Robot,
)
from .simulation import (
    Check as Check,
    Event as Event,
    Result as Result,
    Runs as Runs,
    Sampled as Sampled,
    feedforward as feedforward,
    load_result as load_result,
    simulate as simulate,
    simulate_many as simulate_many,
)
from .studies import (
    BaseParameters as BaseParameters,
    EnergyStudy as EnergyStudy,
    Identified as Identified,
    TorquesAlong as TorquesAlong,
    base_parameters as base_parameters,
    energy_study as energy_study,
    identify as identify,
    inertial_parameters as inertial_parameters,
    inverse_along as inverse_along,
)
from .sweeps import (
    Sweep as Sweep,
    load_sweep as load_sweep,
    sweep as sweep,
)
from .symbolic import (
    Equations as Equations,
    equations as equations,
)
from .view import (
    View as View,
    plot as plot,
)

__version__: str
