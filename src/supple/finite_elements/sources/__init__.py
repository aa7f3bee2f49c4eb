"""Where matrices and nodes come from: one kind of file a module, chosen by the file's ending."""

from .register import MATRICES, NODES, MeshFiles, read_mesh

__all__ = ["MATRICES", "NODES", "MeshFiles", "read_mesh"]
