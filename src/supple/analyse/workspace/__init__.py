"""Maps of a workspace: deflection and stiffness of a station, place by place.

axes by name            -> rows of numbers          (`places`)
  -> joints             at each place, unbent       (`places`)
  -> rest, compliance   by statics                  (`map`)
  -> WorkspaceMap       a labelled dataset          (`map`)
"""

from .map import WorkspaceMap, compliance, workspace_map

__all__ = ["WorkspaceMap", "compliance", "workspace_map"]
