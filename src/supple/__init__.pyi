# The public names, for type checkers; __init__.py imports them when first used.
from .analyse import (
    Statics as Statics,
)
from .analyse import (
    along as along,
)
from .analyse import (
    frequencies as frequencies,
)
from .analyse import (
    gauge as gauge,
)
from .analyse import (
    reach as reach,
)
from .analyse import (
    statics as statics,
)
from .analyse import (
    zeros as zeros,
)
from .engine import Function as Function
from .engine import compile as compile
from .errors import (
    FileError as FileError,
)
from .errors import (
    InputError as InputError,
)
from .errors import (
    ModelError as ModelError,
)
from .errors import (
    SimulationError as SimulationError,
)
from .errors import (
    SuppleError as SuppleError,
)
from .errors import (
    SuppleWarning as SuppleWarning,
)
from .flow import (
    acceleration as acceleration,
)
from .flow import (
    articulated_bodies as articulated_bodies,
)
from .flow import (
    bias_force as bias_force,
)
from .flow import (
    centre_of_mass as centre_of_mass,
)
from .flow import (
    composite_bodies as composite_bodies,
)
from .flow import (
    coriolis_force as coriolis_force,
)
from .flow import (
    elastic_force as elastic_force,
)
from .flow import (
    forward_dynamics as forward_dynamics,
)
from .flow import (
    forward_sweeps as forward_sweeps,
)
from .flow import (
    gravity_force as gravity_force,
)
from .flow import (
    inverse_dynamics as inverse_dynamics,
)
from .flow import (
    inverse_mass_matrix as inverse_mass_matrix,
)
from .flow import (
    jacobian as jacobian,
)
from .flow import (
    jacobian_rate as jacobian_rate,
)
from .flow import (
    kinetic_energy as kinetic_energy,
)
from .flow import (
    mass_matrix as mass_matrix,
)
from .flow import (
    momentum as momentum,
)
from .flow import (
    passive_force as passive_force,
)
from .flow import (
    pose as pose,
)
from .flow import (
    potential_energy as potential_energy,
)
from .flow import (
    twist as twist,
)
from .flow import (
    twists as twists,
)
from .flow import (
    udu_factors as udu_factors,
)
from .model import (
    build as build,
)
from .model import (
    load as load,
)
from .model import (
    shipped as shipped,
)
from .robot import (
    Robot as Robot,
)
from .simulation import (
    Result as Result,
)
from .simulation import (
    feedforward as feedforward,
)
from .simulation import (
    load_result as load_result,
)
from .simulation import (
    simulate as simulate,
)
from .symbolic import (
    Equations as Equations,
)
from .symbolic import (
    equations as equations,
)

__version__: str
