"""Ways to write equations down.

plain_text           text, and how much of it is too much
latex                a LaTeX document
latex_pieces         an expression as pieces, between which a line may end
latex_lines          pieces on lines that fit the page
latex_names          how names of symbols look; latex_text: how words of a model do
tex_width            how wide a formula will be
code                 a function in another language; languages: one file each
function_to_write    what every language writes: names, steps, matrices
"""
