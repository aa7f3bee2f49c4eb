"""What a robot does at a configuration: frequencies and shapes, zero dynamics."""

from .frequencies import Frequencies, frequencies
from .zeros import Zeros, zeros

__all__ = ["Frequencies", "Zeros", "frequencies", "zeros"]
