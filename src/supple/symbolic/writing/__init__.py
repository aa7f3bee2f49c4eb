"""Ways to write equations down.

plain_text           text, and how much of it is too much
latex, latex_names   a LaTeX document
code                 a function in another language; languages: one file each
parts                what every language writes: names, steps, matrices
"""
