"""What a robot does at a configuration: frequencies and shapes."""

from .frequencies import Frequencies, frequencies

__all__ = ["Frequencies", "frequencies"]
