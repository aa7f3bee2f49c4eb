"""Shorter forms of the same equations.

simplify       every entry in the shortest form SymPy finds
common_terms   common subexpressions get names
left_out       small terms left out and listed; bounds: how large they can get
"""
