"""Closed chains: how their loops close, and how they move on the tree that the cuts leave."""
