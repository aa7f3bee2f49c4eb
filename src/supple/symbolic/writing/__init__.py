"""Ways to write equations down.

code         a function in another language; languages: one file each
parts        what every language writes: names, steps, matrices
"""
