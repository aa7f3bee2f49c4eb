"""LLVM assembly.

`builder` writes instructions on typed `values`, `elementary` functions made of them; `module`
collects functions. `kernels` writes a program for one state, `batches` for many at once.
"""
