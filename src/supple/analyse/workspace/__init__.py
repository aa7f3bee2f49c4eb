"""Maps of a workspace: deflection and stiffness of a station, place by place.

axes by name            -> rows of numbers          (`grid`)
  -> joints             at each place, unbent       (`places`)
  -> rest, compliance   by statics                  (`compliance`)
  -> WorkspaceMap       a labelled dataset          (`map`)
"""

from .compliance import compliance
from .map import WorkspaceMap, workspace_map

__all__ = ["WorkspaceMap", "compliance", "workspace_map"]
