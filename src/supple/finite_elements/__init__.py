"""Bodies from finite elements: Standard Input Data, and mass and stiffness matrices reduced here.

file -> Sid, or MeshMatrices -> checks -> reduction -> Part: a modal `Body` with its stations
"""

from .limits import MOST_SHAPES
from .part import Part, summary
from .public import load_part, write_sid
from .sid import Sid, SidNode, Taylor
from .sid_body import body_of_sid, sid_of_body
from .sid_text import parse_sid, sid_text

__all__ = [
    "MOST_SHAPES",
    "Part",
    "Sid",
    "SidNode",
    "Taylor",
    "body_of_sid",
    "load_part",
    "parse_sid",
    "sid_of_body",
    "sid_text",
    "summary",
    "write_sid",
]
